import type { MembersModel, TeamModel, TeamView } from '../../core/page-models/members.ts';
import { actionForm, fieldsForm, submitButton } from '../components/controls.ts';
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
import { avatarMark } from '../components/icons.ts';
import { cell, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { accessFields, accessText, accessValues, memberTabs } from './access.ts';

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

/** The form of a member's or a team's access, below its address. */
export function accessOf(path: string, projects: TeamView['projects'], context: PageContext): VNode | null {
  const fields = formFields(accessForm, {
    values: accessValues(projects),
    fieldOptions: projectChoices(context),
  });
  return fieldsForm(context, `${path}/access`, fields, 'Change access');
}

function newTeamForm(context: PageContext, entry?: FormEntry): DialogForm {
  return {
    id: 'd-team',
    path: '/members/teams/new',
    title: 'New team',
    description: 'Its members see its projects besides their own.',
    action: '/members/teams',
    fields: enteredFields(teamForm, entry, {
      values: { access: 'chosen' },
      // The page of members has the form of an invitation beside it.
      fieldOptions: { ...projectChoices(context), name: { id: 'team-name' } },
    }),
    verb: 'Create team',
  };
}

export function newTeamPage(context: PageContext, entry?: FormEntry): PageContent {
  return {
    title: 'New team',
    breadcrumbs: [{ name: 'Teams', path: '/members/teams' }],
    main: formSection(context, newTeamForm(context, entry), { from: '/members/teams' }),
  };
}

function newTeamButton(context: PageContext, className: string): Content[] {
  if (context.currentUser?.canManage !== true) return [];
  const form = newTeamForm(context);
  return [...dialogButton(context, form, { word: 'New team', class: className }), formDialog(context, form)];
}

export function teamsPage(model: MembersModel, context: PageContext): PageContent {
  const { teams } = model;
  return {
    title: 'Teams',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Teams', actions: newTeamButton(context, 'btn primary') }),
      memberTabs(context, '/members/teams'),
      teams.length === 0
        ? emptyState('No teams yet', 'A team can own code and be assigned issues.')
        : teamTable(teams, context),
    ],
  };
}

export function teamsSection({ teams }: MembersModel, context: PageContext): VNode {
  const emptyText = html`<p class="soft">No teams yet. A team can own code and be assigned issues.</p>`;
  return section(
    { id: 'm-teams', title: 'Teams', aside: newTeamButton(context, 'btn small'), class: null },
    teams.length === 0 ? emptyText : teamTable(teams, context),
  );
}

function teamTable(rows: readonly TeamView[], context: PageContext): VNode {
  return dataTable<TeamView>(context, {
    caption: 'Teams',
    class: 't vtop',
    isHeadless: true,
    columns: [
      {
        row: (team) =>
          rowHeader(
            html`<div class="person">
              ${avatarMark(team.name, 'team')}
              ${pageLink(context, `/members/teams/${team.team_id}`, { class: 'cell' }, `#${team.name}`)}
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

export function teamPage({ team, others }: TeamModel, context: PageContext, entry?: FormEntry): PageContent {
  const mayManage = context.currentUser?.canManage === true;
  const path = `/members/teams/${team.team_id}`;
  const members = dataTable<TeamView['members'][number]>(context, {
    caption: 'Members of the team',
    class: 't vtop',
    isHeadless: true,
    columns: [
      {
        row: (member) =>
          rowHeader(
            html`<div class="person">
              ${avatarMark(member.name)}
              ${pageLink(context, `/members/${member.member_id}`, { class: 'cell' }, bidiIsolated(member.name))}
            </div>`,
          ),
      },
      {
        class: 'r',
        cell: (member) =>
          mayManage
            ? actionForm(
                context,
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
    breadcrumbs: [{ name: 'Teams', path: '/members/teams' }],
    main: el('div', { class: 'narrow' }, [
      pageHead({ title: `#${team.name}`, below: ['Project access: ', accessText(team.projects)] }),
      section(
        { id: 't-members', title: 'Members' },
        team.members.length === 0 ? html`<p class="soft">No members yet.</p>` : members,
        mayManage && others.length > 0 ? addMember(path, others, context) : null,
      ),
      mayManage ? changes(path, team, context, entry) : null,
    ]),
  };
}

function addMember(path: string, others: TeamModel['others'], context: PageContext): VNode | null {
  const field = html`<div class="field">
    <label for="member">Member</label>
    <select id="member" name="member">
      ${others.map((each) => html`<option value=${each.member_id}>${each.name}</option>`)}
    </select>
  </div>`;
  return fieldsForm(context, `${path}/add`, [field], 'Add member');
}

function changes(path: string, team: TeamView, context: PageContext, entry: FormEntry | undefined) {
  return [
    section({ id: 't-access', title: 'Project access' }, accessOf(path, team.projects, context)),
    section(
      { id: 't-name', title: 'Name' },
      fieldsForm(context, `${path}/rename`, enteredFields(teamNameForm, entry, { values: team }), 'Rename'),
    ),
    section(
      { id: 't-end', title: 'Delete team' },
      confirmCheckboxForm(context, `${path}/delete`, 'Its members keep their own access only.', 'Delete'),
    ),
  ];
}
