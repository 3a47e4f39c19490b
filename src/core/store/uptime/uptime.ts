// All that pages ask of what is watched and of who is told: types alone.
import type { AlertStore } from '../alerts.ts';
import type { IncidentStore } from './incidents.ts';
import type { MonitorStore } from './monitors.ts';
import type { StatusPageStore } from './status-pages.ts';

/** Monitors, incidents, status pages and alert channels. */
export interface UptimeStore extends MonitorStore, IncidentStore, StatusPageStore, AlertStore {}
