# Completion of the launcher for shells, made from the table of its function commands. Sourced by ./varve.

bash_completion() {
  names=$(commands | cut -d '|' -f 1 | tr '\n' ' ')
  cat <<BASH
# Completion of ./varve for bash, written by ./varve completion bash.
_varve() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} kind='' options='' words=''
  COMPREPLY=()
  if [ "\$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=(\$(compgen -W '${names% }' -- "\$current"))
    return
  fi
  case "\${COMP_WORDS[1]} \$previous" in
BASH
  commands | awk -F '|' '{
    count = split($3, options, " ")
    for (i = 1; i <= count; i++) {
      at = index(options[i], "=")
      if (at == 0) continue
      value = substr(options[i], at + 1)
      gsub(/,/, " ", value)
      printf "    \"%s %s\") kind=value words=\"%s\" ;;\n", $1, substr(options[i], 1, at - 1), value
    }
  }'
  cat <<'BASH'
  esac
  if [ "$kind" != value ]; then
    case ${COMP_WORDS[1]} in
BASH
  commands | awk -F '|' '$2 != "" || $3 != "" {
    count = split($3, options, " ")
    names = ""
    for (i = 1; i <= count; i++) {
      sub(/=.*/, "", options[i])
      names = names (i > 1 ? " " : "") options[i]
    }
    printf "      %s) words=\"%s\" options=\"%s\" ;;\n", $1, $2, names
  }'
  cat <<'BASH'
    esac
  fi
  case $words in
    DIR) COMPREPLY=($(compgen -d -- "$current")) ;;
    FILE) COMPREPLY=($(compgen -f -- "$current")) ;;
    *[a-z]*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
  COMPREPLY+=($(compgen -W "$options" -- "$current"))
}
complete -o filenames -F _varve varve ./varve
BASH
}

zsh_completion() {
  cat <<'ZSH'
#compdef varve
# Completion of ./varve for zsh, written by ./varve completion zsh.
_varve() {
  local -a commands
  commands=(
ZSH
  commands | awk -F '|' -v quote="'" '{
    gsub(quote, quote "\\" quote quote, $4)
    gsub(/:/, "\\:", $4)
    printf "    %s%s:%s%s\n", quote, $1, $4, quote
  }'
  cat <<'ZSH'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
ZSH
  commands | awk -F '|' -v quote="'" '
    function action(value) {
      if (value == "DIR") return "_files -/"
      if (value == "FILE") return "_files"
      if (value !~ /[a-z]/) return " "
      gsub(/,/, " ", value)
      return "(" value ")"
    }
    $2 != "" || $3 != "" {
      line = ""
      if ($2 != "") line = " " quote "1:argument:" action($2) quote
      count = split($3, options, " ")
      for (i = 1; i <= count; i++) {
        at = index(options[i], "=")
        if (at == 0) line = line " " quote options[i] quote
        else {
          value = substr(options[i], at + 1)
          line = line " " quote substr(options[i], 1, at - 1) ":value:" action(value) quote
        }
      }
      printf "    %s) _arguments%s ;;\n", $1, line
    }'
  cat <<'ZSH'
  esac
}
compdef _varve varve ./varve
ZSH
}
