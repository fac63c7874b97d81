"""Panels of Grafana dashboards, their queries, and their layout as JSON; see boards."""

SOURCE = {"type": "prometheus", "uid": "prometheus"}
WIDTH, HEIGHT, STAT_WIDTH, STAT_HEIGHT = 12, 8, 4, 4


def panel(title, unit, *queries, stat=False, red=None, note=""):
    return {"title": title, "unit": unit, "queries": queries, "stat": stat, "red": red, "note": note}


def stat(title, unit, query, red=None, note=""):
    """A single value, red from a threshold on."""
    return panel(title, unit, (query, ""), stat=True, red=red, note=note)


def rate(metric, selector, by):
    return f"sum by ({by}) (rate({metric}{{{selector}}}[$__rate_interval]))"


def mean(metric, selector, by, unit="seconds"):
    """The mean of a timer, only where there were events."""
    return f"{rate(f'{metric}_{unit}_sum', selector, by)} / ({rate(f'{metric}_{unit}_count', selector, by)} > 0)"


def quantile(q, metric, selector, by):
    return f"histogram_quantile({q}, {rate(metric + '_seconds_bucket', selector, 'le, ' + by)})"


def targets(queries):
    return [{"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expression, "legendFormat": legend or "__auto"}
            for i, (expression, legend) in enumerate(queries)]


def rendered(number, one, place):
    defaults = {"unit": one["unit"]}
    result = {"id": number, "type": "stat" if one["stat"] else "timeseries", "title": one["title"],
              "description": one["note"], "datasource": SOURCE, "gridPos": place,
              "fieldConfig": {"defaults": defaults, "overrides": []}, "targets": targets(one["queries"])}
    if one["stat"]:
        if one["red"] is not None:
            defaults["thresholds"] = {"mode": "absolute", "steps": [
                {"color": "green", "value": None}, {"color": "red", "value": one["red"]}]}
        result["options"] = {
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
            "colorMode": "value" if one["red"] is not None else "none", "graphMode": "area", "textMode": "auto"}
    else:
        defaults["custom"] = {"lineWidth": 1, "fillOpacity": 5, "showPoints": "never"}
        defaults["min"] = 0
        result["options"] = {
            "legend": {"displayMode": "table", "placement": "bottom", "calcs": ["lastNotNull", "max"], "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"}}
    return result


def layout(rows):
    panels, y = [], 0
    for title, row in rows:
        panels.append({"id": len(panels) + 1, "type": "row", "title": title, "collapsed": False, "panels": [],
                       "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}})
        y += 1
        x, height = 0, 0
        for one in row:
            width, height = (STAT_WIDTH, STAT_HEIGHT) if one["stat"] else (WIDTH, HEIGHT)
            if x + width > 24:
                x, y = 0, y + height
            panels.append(rendered(len(panels) + 1, one, {"h": height, "w": width, "x": x, "y": y}))
            x += width
        y += height
    return panels


def variable(name, metric):
    query = f"label_values({metric}, {name})"
    return {"name": name, "label": name, "type": "query", "datasource": SOURCE, "query": query, "definition": query,
            "includeAll": True, "multi": True, "allValue": ".*", "refresh": 2, "sort": 1,
            "current": {"text": "All", "value": "$__all"}}


def board(name, title, rows):
    return {
        "uid": "varve-" + name, "title": title, "tags": ["varve"], "schemaVersion": 39, "version": 1, "editable": True,
        "time": {"from": "now-30m", "to": "now"}, "refresh": "10s", "timezone": "browser",
        "links": [{"type": "dashboards", "title": "Varve", "tags": ["varve"], "asDropdown": True, "includeVars": True,
                   "keepTime": True}],
        "templating": {"list": [variable("cluster", "varve_http_connections"), variable("index", "varve_copy_docs")]},
        "annotations": {"list": []}, "panels": layout(rows)}
