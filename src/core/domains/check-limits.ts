import type { Deps } from '../deps.ts';
import { addJitter, createRateLimitError } from '../errors.ts';
import { addressShareOfQuota, isQuotaScarce } from '../fair-share.ts';
import { minuteMs } from '../parsing/durations.ts';
import type { DomainCheckClient } from '../ports/domain-check-client.ts';

const windowMs = minuteMs;
const checksPerHostMax = 30;
const checksPerServerMax = 60;
/** The most that one project may use once the server has used three quarters of its checks. */
const checksPerProjectShare = addressShareOfQuota(checksPerServerMax);

interface CheckWindow {
  startedAtMs: number;
  total: number;
  readonly byHost: Map<string, number>;
  readonly byProject: Map<number, number>;
}

const windows = new WeakMap<DomainCheckClient, CheckWindow>();

/** Protects third parties: throws 429 when host, server or project has used its checks for this minute. */
export function takeDomainCheck(
  deps: Pick<Deps, 'now' | 'domainCheckClient' | 'config' | 'random'>,
  host: string,
  projectId: number,
): void {
  if (!deps.config.rateLimits.enabled) return;
  const nowMs = deps.now();
  let window = windows.get(deps.domainCheckClient);
  if (window === undefined || nowMs - window.startedAtMs >= windowMs || nowMs < window.startedAtMs) {
    window = { startedAtMs: nowMs, total: 0, byHost: new Map(), byProject: new Map() };
    windows.set(deps.domainCheckClient, window);
  }
  const ofHost = window.byHost.get(host) ?? 0;
  const ofProject = window.byProject.get(projectId) ?? 0;
  const isShareUsed = ofProject >= checksPerProjectShare && isQuotaScarce(window.total, checksPerServerMax);
  if (ofHost >= checksPerHostMax || window.total >= checksPerServerMax || isShareUsed) {
    throw createRateLimitError(addJitter((window.startedAtMs + windowMs - nowMs) / 1000, deps.random));
  }
  window.total += 1;
  window.byHost.set(host, ofHost + 1);
  window.byProject.set(projectId, ofProject + 1);
}
