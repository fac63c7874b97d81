// The picture of the copies: a row for each shard, a column for each node.

import {bytes, duration, element, plural, show} from './elements.js';

export function showCopies(place, picture, filter) {
  const wanted = filter.trim().toLowerCase();
  const indices = picture.indices.filter(index => index.name.toLowerCase().includes(wanted));
  if (indices.length === 0) {
    show(place, element('p', {class: 'empty'},
      picture.indices.length === 0 ? 'There are no indices yet.' : 'No index has such a name.'));
    return;
  }
  const nodes = picture.nodes.filter(node => holdsCopies(node) || holdsAny(node.id, indices));
  const head = element('tr', {},
    element('th', {scope: 'col'}, 'Shard'),
    ...nodes.map(node => nodeHead(node, picture)),
    element('th', {scope: 'col'}, 'Unassigned'));
  const rows = indices.flatMap(index => index.shards.map(shard => row(index, shard, nodes)));
  const omitted = picture.omitted_shards > 0
    ? `; ${plural(picture.omitted_shards, 'more shard')} are not shown`
    : '';
  show(place, element('table', {},
    element('caption', {}, `${plural(rows.length, 'shard')} of ${plural(indices.length, 'index', 'indices')}${omitted}`),
    element('thead', {}, head),
    element('tbody', {}, ...rows)));
}

function holdsCopies(node) {
  return node.roles.some(role => role === 'primary' || role === 'replica' || role === 'search');
}

function holdsAny(id, indices) {
  return indices.some(index => index.shards.some(shard => shard.copies.some(copy => copy.node === id)));
}

function nodeHead(node, picture) {
  const leads = node.id === picture.leader ? ['leads the cluster'] : [];
  const away = node.member ? [] : ['not a member'];
  const silent = node.load === null ? ['silent'] : node.load.stale ? ['heartbeat is overdue'] : [];
  return element('th', {scope: 'col'},
    node.name,
    element('span', {class: 'roles'}, [...node.roles, ...leads, ...away, ...silent].join(', ')));
}

function row(index, shard, nodes) {
  const head = element('th', {scope: 'row'},
    `${index.name} / ${shard.number} `,
    element('span', {class: `status ${index.status}`}, index.status),
    element('span', {class: 'roles'},
      `${index.replication_type}, term ${shard.term}${index.closed ? ', closed' : ''}`
        + (index.follows
          ? `, follows ${index.follows.remote_cluster}:${index.follows.index}${index.follows.paused ? ' (paused)' : ''}`
          : '')));
  const cells = nodes.map(node =>
    element('td', {}, ...shard.copies.filter(copy => copy.node === node.id).map(tile)));
  const unassigned = shard.copies.filter(
    copy => copy.node === null || !nodes.some(node => node.id === copy.node));
  return element('tr', {}, head, ...cells, element('td', {}, ...unassigned.map(tile)));
}

function tile(copy) {
  const progress = copy.progress;
  const behind = copy.role !== 'primary' && progress !== null
    && (progress.operations_behind > 0 || progress.bytes_behind > 0);
  const classes = ['copy', copy.role, copy.state,
    behind ? 'behind' : '',
    progress?.stale ? 'stale' : '',
    progress?.failure ? 'failed' : ''];
  return element('span', {class: classes.filter(Boolean).join(' '), title: copy.id},
    `${copy.role} ${word(copy)}`,
    element('small', {}, detail(copy, behind)));
}

function word(copy) {
  switch (copy.state) {
    case 'initializing': return 'opening';
    case 'unassigned': return 'unassigned';
    default: return '';
  }
}

function detail(copy, behind) {
  const progress = copy.progress;
  if (copy.state === 'unassigned') {
    return copy.reason;
  }
  if (progress === null) {
    return 'no report yet';
  }
  if (progress.failure) {
    return progress.failure;
  }
  if (progress.stale) {
    return `silent at seq_no ${progress.visible_seq_no}`;
  }
  if (copy.state === 'initializing') {
    return `${progress.state.toLowerCase()}, ${bytes(progress.bytes_behind)} to fetch`;
  }
  return behind
    ? `${plural(progress.operations_behind, 'operation')}, ${duration(progress.millis_behind)} behind`
    : `seq_no ${progress.visible_seq_no}`;
}
