import type { VNode } from 'preact';
import type { ReportModel } from '../../core/page-models/reports/report.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import { heatmap } from '../charts/heatmap.ts';
import { histogram, severityStacks } from '../charts/histogram.ts';
import { dash, hiddenCaption } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { iconMark } from '../components/mark.ts';
import { cell, columnHeader, headerRow, scrollableTable, titleCell } from '../components/table.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import type { PageContext } from '../page-context.ts';
import { shortUntrustedName, shortUntrustedText } from '../uptime/labels.ts';
import { changeText } from './labels.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function errorsSection(model: ReportModel, context: PageContext): VNode {
  return html`<section class="sec" aria-labelledby="r-errors">
    <h2 id="r-errors">1. Errors</h2>
    ${overTime(model, context)}
    <div class="cols even">${byHour(model)}${byProject(model, context)}</div>
    ${topIssues(model, context)}
  </section>`;
}

function overTime({ errors: of, sums, releases, period }: ReportModel, frame: PageContext): VNode {
  const ms = of.bar_hours * hourMs;
  const per = of.bar_hours === 24 ? 'day' : `${of.bar_hours} hours`;
  return histogram(frame, {
    bars: of.bars.map(({ at, debug, info, ...counts }) => ({
      fromMs: Date.parse(at),
      toMs: Math.min(Date.parse(at) + ms, Date.parse(period.to)),
      counts: { ...counts, info: info + debug },
    })),
    stacks: severityStacks,
    markers: releases
      .filter(({ new_issues: fresh, was_taken_back: back }) => fresh > 0 || back)
      .map(({ created_at: at, project, version }) => ({
        atMs: Date.parse(at),
        name: shortUntrustedName(`${project} ${version}`),
      })),
    nowMs: frame.nowMs,
    noun: ['event', 'events'],
    finding: [html`<b>${counted(sums.events, 'event')}</b>`, `, per ${per}`],
    height: 120,
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
  return html`<div>${heatmap({ hours, finding: html`<b>By weekday and hour</b>`, name, many: 'events' })}</div>`;
}

function byProject({ projects }: ReportModel, frame: PageContext): VNode {
  const isCounted = projects.some(({ users }) => users !== null);
  const heads = [
    columnHeader('Project'),
    columnHeader('Events', 'r'),
    columnHeader('Change', 'r'),
    ...(isCounted ? [columnHeader('Users', 'r')] : []),
    columnHeader('New', 'r'),
    columnHeader('Resolved', 'r'),
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
          shortUntrustedText(each.name),
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
    ${hiddenCaption('Events by project')}${headerRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return html`<div><h3>By project</h3>${scrollableTable('By project', table)}</div>`;
}

function usersText({ users, users_or_more: orMore }: ReportModel['projects'][number]): Content {
  return users === null ? dash() : `${count(users)}${orMore ? ' or more' : ''}`;
}

function topIssues({ top_issues: issues }: ReportModel, frame: PageContext): Content {
  if (issues.length === 0) return html`<p class="soft space">Nothing was thrown.</p>`;
  const rows = issues.map(({ issue_id: id, title, level, project, events }) =>
    el(
      'tr',
      null,
      cell(iconMark(level), 'lv'),
      title === null
        ? cell('An issue that was deleted', 'soft')
        : titleCell(frame, { path: `/issues/${id}`, title: shortUntrustedName(title) }),
      cell(shortUntrustedText(project), 'pj d3 soft'),
      cell(count(events), 'r'),
    ),
  );
  const title = issues.length === 10 ? 'Ten issues with the most events' : 'Issues with the most events';
  return [
    html`<h3 class="sec">${title}</h3>`,
    html`<table class="t mini">${hiddenCaption(title)}<tbody>${rows}</tbody></table>`,
  ];
}
