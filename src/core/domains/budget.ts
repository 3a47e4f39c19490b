// How many domain checks may leave this server, whoever asks for them: nobody may turn it against a third
// party. Counters in memory, one set a prober; the limits a proof and a project have stand with the other
// rate limits (D-20).
import type { Deps } from '../deps.ts';
import { rateLimited, spreadWait } from '../errors.ts';
import { isScarce, shareOfAddress } from '../fair-share.ts';
import type { DomainProber } from '../ports/prober.ts';
import { minuteMs } from '../reading/spans.ts';

const windowMs = minuteMs;
/** Checks a minute: to one host, whoever asks for them, and in all. */
const checksPerHostMax = 30;
const checksPerServerMax = 60;
/** Of one project, once three quarters of those of the server are used. */
const checksPerProjectShare = shareOfAddress(checksPerServerMax);

interface Window {
  startedAtMs: number;
  total: number;
  readonly byHost: Map<string, number>;
  readonly byProject: Map<number, number>;
}

const windows = new WeakMap<DomainProber, Window>();

/**
 * Counts one check of a host for a project. Throws 429 when the host or the server has had what there is in
 * this minute, and when that is scarce and the project has had its share.
 */
export function takeCheck(
  deps: Pick<Deps, 'now' | 'prober' | 'config' | 'random'>,
  host: string,
  projectId: number,
): void {
  if (!deps.config.rateLimits.enabled) return;
  const nowMs = deps.now();
  let window = windows.get(deps.prober);
  if (window === undefined || nowMs - window.startedAtMs >= windowMs || nowMs < window.startedAtMs) {
    window = { startedAtMs: nowMs, total: 0, byHost: new Map(), byProject: new Map() };
    windows.set(deps.prober, window);
  }
  const ofHost = window.byHost.get(host) ?? 0;
  const ofProject = window.byProject.get(projectId) ?? 0;
  const isShareUsed = ofProject >= checksPerProjectShare && isScarce(window.total, checksPerServerMax);
  if (ofHost >= checksPerHostMax || window.total >= checksPerServerMax || isShareUsed) {
    throw rateLimited(spreadWait((window.startedAtMs + windowMs - nowMs) / 1000, deps.random));
  }
  window.total += 1;
  window.byHost.set(host, ofHost + 1);
  window.byProject.set(projectId, ofProject + 1);
}
