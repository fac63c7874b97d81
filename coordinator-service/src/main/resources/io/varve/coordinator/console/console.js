// Shows the pictures that the coordinator sends, and the view that the address names.

import {plural, element, show} from './elements.js';
import {showCopies} from './copies.js';
import {showFollowers, showNodes, showTasks} from './tables.js';
import {startQuery} from './query.js';

const VIEWS = ['copies', 'nodes', 'followers', 'tasks', 'query'];
const POLL_MILLIS = 2000;
const SILENT_MILLIS = 5000;
const THEMES = ['system', 'light', 'dark'];
const THEME_KEY = 'varve.console.theme';

const byId = id => document.getElementById(id);
let picture = null;
let pictureAt = 0;

function view() {
  const named = location.hash.slice(1);
  return VIEWS.includes(named) ? named : VIEWS[0];
}

function render() {
  if (picture === null) {
    return;
  }
  byId('cluster').textContent = picture.cluster;
  const leader = picture.nodes.find(node => node.id === picture.leader)?.name ?? 'nobody';
  byId('summary').replaceChildren(
    element('span', {class: `status ${picture.status}`}, picture.status),
    `, ${plural(picture.nodes.length, 'node')}, state version ${picture.version}, led by ${leader}`);
  if (view() === 'copies') {
    showCopies(byId('grid'), picture, byId('filter').value);
  } else if (view() === 'nodes') {
    showNodes(byId('node-table'), picture);
  }
}

function connection(text) {
  if (byId('connection').textContent !== text) {
    byId('connection').textContent = text;
  }
}

function listen() {
  const events = new EventSource('events');
  events.addEventListener('picture', event => {
    picture = JSON.parse(event.data);
    pictureAt = performance.now();
    connection('live');
    render();
  });
  events.addEventListener('error', () => {
    connection('the coordinator does not answer; the picture is old');
    if (events.readyState === EventSource.CLOSED) {
      setTimeout(listen, POLL_MILLIS);
    }
  });
}

function failed(place) {
  return error => show(place, element('p', {class: 'red', role: 'alert'}, error.message));
}

async function poll() {
  if (view() === 'followers') {
    await showFollowers(byId('follower-table')).catch(failed(byId('follower-table')));
  } else if (view() === 'tasks') {
    await showTasks(byId('task-table'), failed(byId('task-table'))).catch(failed(byId('task-table')));
  }
  if (pictureAt > 0 && performance.now() - pictureAt > SILENT_MILLIS) {
    connection('no news from the coordinator; the picture is old');
  }
}

async function pollForever() {
  await poll();
  setTimeout(pollForever, POLL_MILLIS);
}

function changeView() {
  for (const name of VIEWS) {
    byId(name).hidden = name !== view();
  }
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${view()}`) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  render();
  poll();
}

function applyTheme(theme) {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  byId('theme').textContent = `Theme: ${theme}`;
}

function startTheme() {
  const kept = localStorage.getItem(THEME_KEY);
  let theme = THEMES.includes(kept) ? kept : THEMES[0];
  applyTheme(theme);
  byId('theme').addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(THEME_KEY, theme);
    applyTheme(theme);
  });
}

startTheme();
startQuery(byId);
byId('filter').addEventListener('input', render);
addEventListener('hashchange', changeView);
changeView();
pollForever();
listen();
