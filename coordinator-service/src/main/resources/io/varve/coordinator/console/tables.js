// The tables of nodes, followers and tasks.

import {bytes, duration, element, reason, show, table} from './elements.js';

const NONE = '–';

export function showNodes(place, picture) {
  const columns = [
    {title: 'Node', value: node => element('span', {},
      node.name, element('span', {class: 'roles'}, node.roles.join(', ')))},
    {title: 'State', value: node => state(node, picture)},
    {title: 'CPU', kind: 'number', value: node => (node.load ? `${Math.round(node.load.cpu_fraction * 100)} %` : NONE)},
    {title: 'Heap', kind: 'number', value: node => (node.load ? `${bytes(node.load.heap_used_bytes)} of ${bytes(node.load.heap_max_bytes)}` : NONE)},
    {title: 'Disk free', kind: 'number', value: node => (node.load ? `${bytes(node.load.disk_free_bytes)} of ${bytes(node.load.disk_total_bytes)}` : NONE)},
    {title: 'Rank', kind: 'number', value: node => (node.rank ? node.rank.rank.toFixed(1) : NONE)},
    {title: 'Service time', kind: 'number', value: node => (node.rank ? duration(node.rank.service_millis) : NONE)},
    {title: 'Queue', kind: 'number', value: node => (node.rank ? node.rank.queue : NONE)},
    {title: 'Circuit breaker', value: node => breaker(node.rank)},
  ];
  show(place, table(`${picture.nodes.length} nodes`, columns, picture.nodes,
    node => (node.load === null || node.load.stale ? 'gone' : '')));
}

function state(node, picture) {
  const words = [];
  if (node.id === picture.leader) {
    words.push(`leads in term ${picture.leader_term}`);
  }
  words.push(node.member ? 'member' : 'not a member');
  if (node.load === null) {
    words.push('silent');
  } else if (node.load.stale) {
    words.push('heartbeat is overdue');
  }
  return words.join(', ');
}

function breaker(rank) {
  if (!rank) {
    return NONE;
  }
  return rank.suspended ? `${rank.circuit_breaker}, suspended` : rank.circuit_breaker;
}

/** Fetches JSON; throws an Error with the server's reason. */
export async function json(path, options = {}) {
  const response = await fetch(path, options);
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Error(reason(body, response.status));
  }
  return body;
}

export async function showFollowers(place) {
  const stats = await json('/_ccr/stats');
  const rows = stats.follow_stats.indices.flatMap(index => index.shards);
  if (rows.length === 0) {
    show(place, element('p', {class: 'empty'}, 'No index follows another one.'));
    return;
  }
  const columns = [
    {title: 'Follower', value: row => `${row.follower_index} / ${row.shard_id}`},
    {title: 'Leader', value: row => `${row.remote_cluster}:${row.leader_index}`},
    {title: 'State', value: row => row.state ?? NONE},
    {title: 'Operations behind', kind: 'number', value: row => number(row.lag_operations)},
    {title: 'Lag', kind: 'number', value: row => (row.lag_millis >= 0 ? duration(row.lag_millis) : NONE)},
    {title: 'Operations written', kind: 'number', value: row => number(row.operations_written)},
    {title: 'Error', kind: 'text', value: row => row.fatal_exception?.reason ?? row.last_error?.reason ?? row.last_error ?? ''},
  ];
  show(place, table(`${rows.length} shards follow`, columns, rows));
}

function number(value) {
  return typeof value === 'number' && value >= 0 ? value.toLocaleString('en') : NONE;
}

export async function showTasks(place, onError) {
  const answer = await json('/_tasks?detailed=true&group_by=none');
  const tasks = answer.tasks.filter(task => !task.action.includes('tasks/lists'));
  if (tasks.length === 0) {
    show(place, element('p', {class: 'empty'}, 'No task is running.'));
    return;
  }
  const columns = [
    {title: 'Task', value: task => `${task.node}:${task.id}`},
    {title: 'Action', value: task => task.action},
    {title: 'Description', kind: 'text', value: task => task.description ?? ''},
    {title: 'Running for', kind: 'number', value: task => duration(task.running_time_in_nanos / 1e6)},
    {title: 'Cancel', value: task => cancelButton(task, onError)},
  ];
  show(place, table(`${tasks.length} tasks`, columns, tasks));
}

function cancelButton(task, onError) {
  const id = `${task.node}:${task.id}`;
  if (!task.cancellable) {
    return NONE;
  }
  return element('button', {
    type: 'button',
    'data-key': id,
    'aria-label': `Cancel task ${id}`,
    onclick: () => json(`/_tasks/${encodeURIComponent(id)}/_cancel`, {method: 'POST'}).catch(onError),
  }, task.cancelled ? 'Cancelled' : 'Cancel');
}
