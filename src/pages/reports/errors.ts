import type { VNode } from 'preact';
import { hourMs } from '../../core/reading/spans.ts';
import type { ReportModel } from '../../core/workspace/reports/report.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { dash, hiddenCaption } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell, wide } from '../parts/table.ts';
import { heat } from '../plots/heat.ts';
import { histogram, levelStacks } from '../plots/histogram.ts';
import { nameOf, told } from '../uptime/words.ts';
import { count, counted } from '../words/numbers.ts';
import { changeText } from './words.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function errors(model: ReportModel, frame: Frame): VNode {
  return html`<section class="sec" aria-labelledby="r-errors">
    <h2 id="r-errors">1. Errors</h2>
    ${overTime(model, frame)}
    <div class="cols even">${byHour(model)}${byProject(model, frame)}</div>
    ${busiest(model, frame)}
  </section>`;
}

function overTime({ errors: of, sums, releases, period }: ReportModel, frame: Frame): VNode {
  const ms = of.bar_hours * hourMs;
  const per = of.bar_hours === 24 ? 'day' : `${of.bar_hours} hours`;
  return histogram(frame, {
    bars: of.bars.map(({ at, debug, info, ...counts }) => ({
      fromMs: Date.parse(at),
      toMs: Math.min(Date.parse(at) + ms, Date.parse(period.to)),
      counts: { ...counts, info: info + debug },
    })),
    stacks: levelStacks,
    markers: releases
      .filter(({ new_issues: fresh, was_taken_back: back }) => fresh > 0 || back)
      .map(({ created_at: at, project, version }) => ({
        atMs: Date.parse(at),
        name: nameOf(`${project} ${version}`),
      })),
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: [html`<b>${counted(sums.events, 'event')}</b>`, `, per ${per}`],
    height: 120,
    isCalm: true,
  });
}

function byHour({ errors: { weekday_hours: hours } }: ReportModel): VNode {
  const flat = hours.flat();
  const most = Math.max(0, ...flat);
  const at = flat.indexOf(most);
  const name =
    most === 0
      ? 'Events by weekday and hour: none.'
      : `Events by weekday and hour: most on ${weekdays[Math.floor(at / 24)]} at ${String(at % 24).padStart(2, '0')}:00, ${count(most)}.`;
  return html`<div>${heat({ hours, finding: html`<b>By weekday and hour</b>`, name, many: 'events' })}</div>`;
}

function byProject({ projects }: ReportModel, frame: Frame): VNode {
  const isCounted = projects.some(({ users }) => users !== null);
  const heads = [
    columnHead('Project'),
    columnHead('Events', 'r'),
    columnHead('Change', 'r'),
    ...(isCounted ? [columnHead('Users', 'r')] : []),
    columnHead('New', 'r'),
    columnHead('Resolved', 'r'),
  ];
  const rows = projects.map((each) =>
    el(
      'tr',
      null,
      el(
        'th',
        { scope: 'row' },
        pageLink(
          frame,
          { path: `/projects/${each.project_id}`, query: { project: null } },
          null,
          told(each.name),
        ),
      ),
      cell(count(each.events), 'r'),
      cell(changeText(each.events, each.events_before), 'r'),
      isCounted ? [cell(usersText(each), 'r')] : [],
      cell(count(each.new_issues), 'r'),
      cell(count(each.resolved_issues), 'r'),
    ),
  );
  const table = html`<table class="t">
    ${hiddenCaption('Events by project')}${headRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return html`<div><h3>By project</h3>${wide('By project', table)}</div>`;
}

function usersText({ users, users_or_more: orMore }: ReportModel['projects'][number]): Content {
  return users === null ? dash() : `${count(users)}${orMore ? ' or more' : ''}`;
}

function busiest({ top_issues: issues }: ReportModel, frame: Frame): Content {
  if (issues.length === 0) return html`<p class="soft space">Nothing was thrown.</p>`;
  const rows = issues.map(({ issue_id: id, title, level, project, events }) =>
    el(
      'tr',
      null,
      cell(shapeMark(level), 'lv'),
      title === null
        ? cell('An issue that was deleted', 'soft')
        : titleCell(frame, { path: `/issues/${id}`, title: nameOf(title) }),
      cell(told(project), 'pj d3 soft'),
      cell(count(events), 'r'),
    ),
  );
  const title = issues.length === 10 ? 'Ten issues with the most events' : 'Issues with the most events';
  return [
    html`<h3 class="sec">${title}</h3>`,
    html`<table class="t mini">${hiddenCaption(title)}<tbody>${rows}</tbody></table>`,
  ];
}
