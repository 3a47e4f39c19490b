// All that pages ask of what is watched and of who is told: types alone.
import type { AlertStore } from '../alerts.ts';
import type { IncidentStore } from '../incidents/incidents.ts';
import type { MonitorStore } from '../monitors/monitors.ts';
import type { StatusPageStore } from '../status-pages/status-pages.ts';

/** What status pages are made of. */
export interface WatchedStore extends MonitorStore, IncidentStore, StatusPageStore {}

/** Monitors, incidents, status pages and alert channels. */
export interface UptimeStore extends WatchedStore, AlertStore {}
