// /monitors, /incidents, /status-pages, /alert-channels with their rules, and /status: what is watched, and
// who is told.
import { channelModel } from '../../src/core/workspace/uptime/channel.ts';
import { channelsModel } from '../../src/core/workspace/uptime/channels.ts';
import { incidentModel } from '../../src/core/workspace/uptime/incident.ts';
import { incidentsModel } from '../../src/core/workspace/uptime/incidents.ts';
import { monitorModel } from '../../src/core/workspace/uptime/monitor.ts';
import { monitorsModel } from '../../src/core/workspace/uptime/monitors.ts';
import { ruleModel, rulesModel } from '../../src/core/workspace/uptime/rules.ts';
import { statusPageModel, statusPagesModel } from '../../src/core/workspace/uptime/status-pages.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { channelPage } from '../../src/pages/uptime/channel.ts';
import { channelsPage } from '../../src/pages/uptime/channels.ts';
import { incidentPage } from '../../src/pages/uptime/incident.ts';
import { incidentsPage } from '../../src/pages/uptime/incidents.ts';
import { monitorPage } from '../../src/pages/uptime/monitor.ts';
import { monitorsPage } from '../../src/pages/uptime/monitors.ts';
import { rulePage } from '../../src/pages/uptime/rule.ts';
import { rulesPage } from '../../src/pages/uptime/rules.ts';
import { statusPagePage } from '../../src/pages/uptime/status-page.ts';
import { statusPagesPage } from '../../src/pages/uptime/status-pages.ts';
import { statusDeclarations } from './uptime/status-pages.ts';

/** The pages of what is watched. Their acts are forms whose addresses nobody answers yet. */
export function uptimePages(): Declaration[] {
  return [
    page({ path: '/monitors', model: monitorsModel, view: monitorsPage }),
    page({ path: '/monitors/{slug}', model: monitorModel, view: monitorPage }),
    page({ path: '/incidents', model: incidentsModel, view: incidentsPage }),
    page({ path: '/incidents/{incident_id}', model: incidentModel, view: incidentPage }),
    page({ path: '/status-pages', model: statusPagesModel, view: statusPagesPage }),
    page({ path: '/status-pages/{slug}', model: statusPageModel, view: statusPagePage }),
    page({ path: '/alert-channels', model: channelsModel, view: channelsPage }),
    page({ path: '/alert-channels/rules', model: rulesModel, view: rulesPage }),
    page({ path: '/alert-channels/rules/{rule_id}', model: ruleModel, view: rulePage }),
    page({ path: '/alert-channels/{channel_id}', model: channelModel, view: channelPage }),
    ...statusDeclarations(),
  ];
}
