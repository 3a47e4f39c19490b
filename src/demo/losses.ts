// What was sent in the demo world and not kept, counted as the server counts it at its door: a script that
// ran wild, pages on hosts that nobody listed, bodies that are too large. What SDKs lost is in health.ts.
import { hourMs } from '../core/reading/spans.ts';
import type { Outcome } from '../core/store/outcomes.ts';
import type { Slug } from './shared/company.ts';
import { rhythmAt } from './shared/rhythm.ts';
import { ago, type Step, type World } from './shared/step.ts';

type Loss = Pick<Outcome, 'outcome' | 'reason' | 'category'>;

const overLimit: Loss = { outcome: 'rate_limited', reason: 'key_quota', category: 'error' };
const unlisted: Loss = { outcome: 'filtered', reason: 'unknown_domain', category: 'feedback' };
const switchedOff: Loss = { outcome: 'filtered', reason: 'bug_reports_disabled', category: 'feedback' };
const tooLarge: Loss = { outcome: 'invalid', reason: 'rest_payload_too_large', category: 'error' };

/** What happens on ordinary days: so many an hour when it is busiest. */
const steady: ReadonlyArray<readonly [slug: Slug, loss: Loss, hourly: number]> = [
  ['shop-web', overLimit, 0.5],
  ['shop-web', unlisted, 0.16],
  ['shop-web', tooLarge, 0.12],
  ['checkout-api', overLimit, 0.25],
  ['wp-site', switchedOff, 0.2],
  ['wp-site', tooLarge, 0.2],
  ['mobile-shell', overLimit, 0.1],
];

/** Release 4.17.1 asked for its quote in a circle, until it was taken back ten hours later. */
const flood = { slug: 'shop-web', fromDays: 10.95, hours: [90, 180, 210, 160, 60, 20] } as const;
/** While the gateway is down the checkout reports more than it may. */
const outage = { slug: 'checkout-api', fromDays: 0.1, hours: [11, 17] } as const;

const sinceDays = 60;
/** Hours that share a step. */
const togetherHours = 6;

export function lossSteps(world: World): Step[] {
  const steps = steady.flatMap(([slug, loss, hourly]) => {
    const dice = world.dice(`${loss.reason} of ${slug}`);
    return Array.from({ length: (sinceDays * 24) / togetherHours }, (_, index): Step => {
      const atMs = ago(world.nowMs, sinceDays, -index * togetherHours);
      const hours = Array.from({ length: togetherHours }, (__, hour) => rhythmAt(atMs + hour * hourMs));
      const most = hours.reduce((sum, busy) => sum + busy * hourly, 0);
      return counted(world, slug, loss, atMs, Math.round(most * 2 * dice.next()));
    });
  });
  const storms = [flood, outage].flatMap(({ slug, fromDays, hours }) =>
    hours.map((quantity, hour) =>
      counted(world, slug, overLimit, ago(world.nowMs, fromDays, -hour), quantity),
    ),
  );
  return [...steps, ...storms];
}

function counted(world: World, slug: Slug, loss: Loss, atMs: number, quantity: number): Step {
  const { deps, projects } = world;
  return {
    atMs,
    async take() {
      if (quantity > 0) deps.outcomes.count({ ...loss, projectId: projects[slug].id, atMs, quantity });
    },
  };
}
