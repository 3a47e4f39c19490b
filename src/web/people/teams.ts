import type { VNode } from 'preact';
import type { MembersModel, TeamModel, TeamView } from '../../core/page-models/members.ts';
import { avatarMark } from '../components/avatar.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import {
  confirmCheckboxForm,
  type DialogForm,
  dialogButton,
  formDialog,
  formSection,
} from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, pageHead, section, visuallyHidden } from '../components/elements.ts';
import {
  defineForm,
  enteredFields,
  type FormEntry,
  formFields,
  requiredTextField,
} from '../components/form.ts';
import { pageLink } from '../components/link.ts';
import { cell, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { accessFields, accessText, accessValues } from './access.ts';
import { memberTabs } from './tabs.ts';

const name = requiredTextField('Name', 'Enter a name.', {
  hint: 'Lower-case letters, digits, - and _, for example payments.',
  attributes: { maxlength: 41 },
});

export const teamForm = defineForm({ name, ...accessFields });
export const teamNameForm = defineForm({ name });
export const accessForm = defineForm(accessFields);

export function projectChoices({ projects }: PageContext) {
  return { project: { choices: projects.map((each) => ({ value: String(each.id), name: each.name })) } };
}

function newTeamForm(frame: PageContext, entry?: FormEntry): DialogForm {
  return {
    id: 'd-team',
    path: '/members/teams/new',
    title: 'New team',
    why: 'Its members see its projects besides their own.',
    act: '/members/teams',
    fields: enteredFields(teamForm, entry, {
      values: { access: 'chosen' },
      // The page of members has the form of an invitation beside it.
      looks: { ...projectChoices(frame), name: { id: 'team-name' } },
    }),
    verb: 'Create team',
  };
}

export function newTeamPage(frame: PageContext, entry?: FormEntry): PageContent {
  return {
    title: 'New team',
    crumbs: [{ name: 'Teams', path: '/members/teams' }],
    main: formSection(frame, newTeamForm(frame, entry), { from: '/members/teams' }),
  };
}

function newTeamButton(frame: PageContext, look: string): Content[] {
  if (frame.currentUser?.canManage !== true) return [];
  const asking = newTeamForm(frame);
  return [...dialogButton(frame, asking, { word: 'New team', class: look }), formDialog(frame, asking)];
}

export function teamsPage(model: MembersModel, frame: PageContext): PageContent {
  const { teams } = model;
  return {
    title: 'Teams',
    crumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Teams', acts: newTeamButton(frame, 'btn primary') }),
      memberTabs(frame, '/members/teams'),
      teams.length === 0
        ? emptyState('No teams yet', 'A team can own code and be assigned issues.')
        : teamTable(teams, frame),
    ],
  };
}

export function teamsSection({ teams }: MembersModel, frame: PageContext): VNode {
  const none = html`<p class="soft">No teams yet. A team can own code and be assigned issues.</p>`;
  return html`<section aria-labelledby="m-teams">
    <div class="top"><h2 id="m-teams">Teams</h2>${newTeamButton(frame, 'btn small')}</div>
    ${teams.length === 0 ? none : teamTable(teams, frame)}
  </section>`;
}

function teamTable(rows: readonly TeamView[], frame: PageContext): VNode {
  return dataTable<TeamView>(frame, {
    caption: 'Teams',
    class: 't vtop',
    isHeadless: true,
    columns: [
      {
        row: (team) =>
          rowHeader(
            html`<div class="person">
              ${avatarMark(team.name, 'team')}
              ${pageLink(frame, { path: `/members/teams/${team.team_id}` }, { class: 'cell' }, `#${team.name}`)}
            </div>`,
          ),
      },
      {
        row: ({ members, projects }) =>
          cell(
            html`${counted(members.length, 'member')}<span class="cul">${accessText(projects)}</span>`,
            'soft',
          ),
      },
    ],
    rows,
  });
}

export function teamPage({ team, others }: TeamModel, frame: PageContext, entry?: FormEntry): PageContent {
  const mayManage = frame.currentUser?.canManage === true;
  const path = `/members/teams/${team.team_id}`;
  const members = dataTable<TeamView['members'][number]>(frame, {
    caption: 'Members of the team',
    class: 't vtop',
    isHeadless: true,
    columns: [
      {
        row: (member) =>
          rowHeader(
            html`<div class="person">
              ${avatarMark(member.name)}
              ${pageLink(frame, { path: `/members/${member.member_id}` }, { class: 'cell' }, bidiIsolated(member.name))}
            </div>`,
          ),
      },
      {
        class: 'r',
        cell: (member) =>
          mayManage
            ? actionForm(
                frame,
                `${path}/leave`,
                null,
                html`<input type="hidden" name="member" value=${member.member_id} />`,
                submitButton(['Remove', visuallyHidden(` ${member.name}`)], { class: 'btn small' }),
              )
            : null,
      },
    ],
    rows: team.members,
  });
  return {
    title: `#${team.name}`,
    crumbs: [{ name: 'Teams', path: '/members/teams' }],
    main: el('div', { class: 'narrow' }, [
      pageHead({ title: `#${team.name}`, below: ['Project access: ', accessText(team.projects)] }),
      section(
        { id: 't-members', title: 'Members' },
        team.members.length === 0 ? html`<p class="soft">No members yet.</p>` : members,
        mayManage && others.length > 0 ? addMember(path, others, frame) : null,
      ),
      mayManage ? changes(path, team, frame, entry) : null,
    ]),
  };
}

function addMember(path: string, others: TeamModel['others'], frame: PageContext): VNode | null {
  return actionForm(
    frame,
    `${path}/add`,
    { class: 'stack' },
    html`<div class="field">
      <label for="member">Member</label>
      <select id="member" name="member">
        ${others.map((each) => html`<option value=${each.member_id}>${each.name}</option>`)}
      </select>
    </div>`,
    html`<p>${submitButton('Add member')}</p>`,
  );
}

function changes(path: string, team: TeamView, frame: PageContext, entry: FormEntry | undefined): Content[] {
  return [
    section(
      { id: 't-access', title: 'Project access' },
      actionForm(
        frame,
        `${path}/access`,
        { class: 'stack' },
        ...formFields(accessForm, { values: accessValues(team.projects), looks: projectChoices(frame) }),
        html`<p>${submitButton('Change access')}</p>`,
      ),
    ),
    section(
      { id: 't-name', title: 'Name' },
      actionForm(
        frame,
        `${path}/rename`,
        { class: 'stack' },
        ...enteredFields(teamNameForm, entry, { values: team }),
        html`<p>${submitButton('Rename')}</p>`,
      ),
    ),
    section(
      { id: 't-end', title: 'Delete team' },
      confirmCheckboxForm(frame, `${path}/delete`, 'Its members keep their own access only.', 'Delete'),
    ),
  ];
}
