// The query box, and its history in this browser.

import {duration, element} from './elements.js';

const KEY = 'varve.console.history';
const KEPT = 50;
const LABEL_CHARACTERS = 200;

export function startQuery(byId) {
  const form = byId('request');
  form.addEventListener('submit', event => {
    event.preventDefault();
    send(byId);
  });
  form.addEventListener('keydown', event => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  byId('forget').addEventListener('click', () => {
    localStorage.removeItem(KEY);
    showHistory(byId);
  });
  showHistory(byId);
}

async function send(byId) {
  const request = {
    method: byId('method').value,
    path: byId('path').value.startsWith('/') ? byId('path').value : `/${byId('path').value}`,
    body: byId('body').value,
  };
  remember(request);
  showHistory(byId);
  byId('answered').textContent = 'waiting';
  const began = performance.now();
  try {
    const response = await fetch(request.path, options(request));
    const text = await response.text();
    byId('answered').textContent = `${response.status} in ${duration(performance.now() - began)}`;
    byId('response').textContent = pretty(text);
  } catch (error) {
    byId('answered').textContent = 'no answer';
    byId('response').textContent = String(error);
  }
}

function options({method, body}) {
  const bodyless = method === 'HEAD' || body.trim() === '';
  if (bodyless) {
    return {method};
  }
  // A browser sends no body with GET; OpenSearch's searches also take POST.
  return {
    method: method === 'GET' ? 'POST' : method,
    headers: {'Content-Type': isLines(body) ? 'application/x-ndjson' : 'application/json'},
    body: isLines(body) && !body.endsWith('\n') ? `${body}\n` : body,
  };
}

function isLines(body) {
  try {
    JSON.parse(body);
    return false;
  } catch {
    return body.trim().split('\n').every(line => line.trim() === '' || isJson(line));
  }
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pretty(text) {
  return isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

function history() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function remember(request) {
  const same = JSON.stringify(request);
  const others = history().filter(one => JSON.stringify(one) !== same);
  localStorage.setItem(KEY, JSON.stringify([request, ...others].slice(0, KEPT)));
}

function showHistory(byId) {
  byId('history').replaceChildren(...history().map(one =>
    element('li', {},
      element('button', {type: 'button', onclick: () => fill(byId, one)},
        `${one.method} ${one.path} ${one.body}`.slice(0, LABEL_CHARACTERS)))));
}

function fill(byId, request) {
  byId('method').value = request.method;
  byId('path').value = request.path;
  byId('body').value = request.body;
  byId('path').focus();
}
