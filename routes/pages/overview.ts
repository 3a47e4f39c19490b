// /: the overview, or the set-up instructions until there are events or monitors.
import { onboardingModel, setupModel } from '../../src/core/page-models/onboarding.ts';
import { hasMonitoring } from '../../src/core/page-models/overview/monitoring.ts';
import { overviewModel } from '../../src/core/page-models/overview/overview.ts';
import { type RequestContext, viewedProjects } from '../../src/core/page-models/request-context.ts';
import { page } from '../../src/http/pages/declarations.ts';
import { firstRunPage } from '../../src/web/overview/first-run.ts';
import { overviewPage } from '../../src/web/overview/overview.ts';

export function overviewPages() {
  return [
    page('/', 'viewer', model, (shown, pageContext) =>
      'platforms' in shown ? firstRunPage(shown, pageContext) : overviewPage(shown, pageContext),
    ),
    page('/setup', 'viewer', setupModel, firstRunPage),
  ];
}

async function model(context: RequestContext) {
  const { hasEvents } = await context.deps.store.arrivals(viewedProjects(context).map(({ id }) => id));
  return hasEvents || (await hasMonitoring(context)) ? overviewModel(context) : onboardingModel(context);
}
