import type { InvitationModel, SignInError, SignInModel } from '../../core/page-models/sign-in.ts';
import { commandName } from '../../core/parsing/command-name.ts';
import { actionForm, field, submitButton } from '../components/controls.ts';
import { icon } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatDayAndTime, timeElement } from '../formatters.ts';
import { logoLink } from '../layout/navigation-layout.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';

/** What is set up; else, or if it was chosen, the form for the token. */
export function signInPage(model: SignInModel, context: PageContext): PageContent {
  const { fault: error, account, next, host, ways: methods, asksToken } = model;
  // The errors of a field are below it.
  const ofField = asksToken ? ['unknown_token', 'too_many_tries'] : ['invalid_email'];
  const note =
    account !== null
      ? accountErrorText(account)
      : error === null || ofField.includes(error)
        ? null
        : errorText(error, null);
  const toOthers = asksToken && (methods.passkey || methods.mail || methods.providers.length > 0);
  const token = { next: next === '/' ? null : next, with: 'token' };
  const main = [
    html`<p>${logoLink(context)}</p>`,
    html`<h1>Sign in</h1>`,
    note === null ? null : html`<p class="note" role="status">${note}</p>`,
    ...(asksToken ? tokenForm(model, context) : otherWays(model, context)),
    signInFooter(
      host,
      asksToken ? null : pageLink(context, { path: '/sign-in', query: token }, null, 'Sign in with a token'),
      toOthers ? pageLink(context, '/sign-in', null, 'Other ways to sign in') : null,
      model.hasDemo ? [' ', pageLink(context, '/demo', null, 'Demo'), ' '] : null,
    ),
  ];
  return { title: 'Sign in', isBare: true, main };
}

function tokenForm({ fault: error, next, tries_left: triesLeft }: SignInModel, context: PageContext) {
  const hint = [
    'Printed at the first start. To create a new one, run on the server: ',
    html`<code>${commandName} workspace-token rotate</code>`,
  ];
  const isWrong = error === 'unknown_token' || error === 'too_many_tries';
  return [
    html`<form class="stack" method="post" action=${pageUrl(context, '/sign-in')}>
      <input type="hidden" name="next" value=${next} />
      <input type="text" value="token" autocomplete="username" readonly hidden />
      ${field(
        { id: 'token', label: 'Workspace token', hint, error: isWrong ? errorText(error, triesLeft) : null },
        { name: 'token', type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 },
      )}
      <p>${submitButton('Sign in', { class: 'btn primary' })}</p>
    </form>`,
    html`<p class="hint">
      Members sign in with a link, created by an admin or on the server:${' '}
      <code>${commandName} sign-in-link create NAME</code>
    </p>`,
  ];
}

function otherWays(model: SignInModel, context: PageContext): Content[] {
  const { ways: methods, next } = model;
  const query = next === '/' ? {} : { next };
  // A link, since `form-action` of our policy would stop a form that is sent on to another host.
  const providers = methods.providers.map(({ id, name }) => {
    const text = el('span', null, 'Continue with ', el('bdi', null, name));
    return pageLink(context, { path: `/sign-in/with/${id}`, query }, { class: 'btn' }, text);
  });
  const isMixed = methods.mail && (methods.passkey || providers.length > 0);
  return [
    methods.passkey ? passkeyForm(next, context) : null,
    providers.length === 0 ? null : el('div', { class: 'stack providers' }, ...providers),
    isMixed ? html`<p class="or">or</p>` : null,
    methods.mail ? mailForm(model, context) : null,
  ];
}

/** js/passkey.js fills in `response`. */
function passkeyForm(next: string, context: PageContext): VNode {
  return html`<form
    class="stack js" method="post" action=${pageUrl(context, '/sign-in/passkey')} data-passkey="get"
    data-options=${pageUrl(context, '/sign-in/passkey/options')}
  >
    <input type="hidden" name="response" /><input type="hidden" name="next" value=${next} />
    ${submitButton([icon('key'), 'Sign in with a passkey'], { class: 'btn primary' })}
    <p class="wrong" role="status" hidden></p>
  </form>`;
}

function mailForm({ email, isMailed, fault: error, next }: SignInModel, context: PageContext): VNode {
  if (isMailed) {
    return html`<p class="note" role="status">
      If this address belongs to a member, a link is on its way. It works once, for 15 minutes.
    </p>`;
  }
  return html`<form class="stack" method="post" action=${pageUrl(context, '/sign-in/mail')} novalidate>
    <input type="hidden" name="next" value=${next} />
    ${field(
      {
        id: 'email',
        label: 'E-mail address',
        error: error === 'invalid_email' ? errorText(error, null) : null,
      },
      { name: 'email', type: 'email', autocomplete: 'email', required: true, maxlength: 254, value: email },
    )}
    ${submitButton('E-mail me a sign-in link')}
  </form>`;
}

const errorTexts: Readonly<Record<SignInError, string>> = {
  unknown_token: 'Unknown token.',
  too_many_tries: 'Too many attempts from your address. Wait a minute, then try again.',
  link_used: 'This link has already been used. Ask for a new one.',
  link_over: 'This link has expired: links work for 15 minutes. Ask for a new one.',
  link_unknown: 'Unknown link. Check that it is complete. A newer link replaces earlier ones.',
  link_elsewhere:
    'This link works only in a browser on the machine that runs Notifier. Elsewhere, sign in with the token.',
  unknown_passkey: 'No passkey on this device is registered here. Use another way to sign in.',
  invalid_email: 'Enter a full address, such as name@company.example.',
  too_many_links: 'Too many links were requested for this address. Check your e-mail, or wait 15 minutes.',
};

function errorText(error: SignInError, triesLeft: number | null): string {
  return error === 'unknown_token' && triesLeft !== null
    ? `This token is not known here. ${attemptsLeft(triesLeft)} this minute.`
    : errorTexts[error];
}

function accountErrorText({ fault, provider, email }: NonNullable<SignInModel['account']>): Content[] {
  const name = el('bdi', null, provider);
  const address = email === null ? 'your account' : el('bdi', null, email);
  const texts: Readonly<Record<typeof fault, Content[]>> = {
    expired: ['This sign-in began in another browser or more than 10 minutes ago. Try again.'],
    refused: [name, ' did not sign you in. Try again, or use another way to sign in.'],
    failed: [
      name,
      ' sent an answer that could not be verified. Try again, or ask an admin: it is in the log.',
    ],
    unreachable: [name, ' cannot be reached. Try again later, or use another way to sign in.'],
    unverified_email: [
      name,
      ' signed you in, but has not verified your e-mail address. Verify it there, then try again.',
    ],
    not_a_member: [
      name,
      ' signed you in, but ',
      address,
      ' is not a member. Ask an admin for an invitation.',
    ],
    several_members: [
      name,
      ' signed you in, but several members have the address ',
      address,
      '. Ask an admin.',
    ],
    other_account: [
      ...[name, ' signed you in, but the member with the address ', address],
      ' signs in with another account of it. Ask an admin.',
    ],
  };
  return texts[fault];
}

function attemptsLeft(tries: number): string {
  return tries === 0 ? 'No attempts are left' : `${counted(tries, 'attempt is', 'attempts are')} left`;
}

/** Opening the page does not use the link up; its button does. */
export function invitationPage(model: InvitationModel, context: PageContext): PageContent {
  const { link, name, role, may, ends_at: endsAt, next, host } = model;
  const main = [
    html`<p>${logoLink(context)}</p>`,
    html`<div>
      <h1>Sign in as <bdi>${name}</bdi></h1>
      <p class="lede">
        You are signing in to this workspace as ${role === 'admin' ? 'an ' : 'a '}<b>${role}</b>
        : you may ${listed(may)}.
      </p>
    </div>`,
    html`<form class="stack" method="post" action=${pageUrl(context, '/sign-in')}>
      <input type="hidden" name="link" value=${link} /><input type="hidden" name="next" value=${next} />
      <p>${submitButton('Sign in', { class: 'btn primary' })}</p>
      <p class="hint">
        This link works once, until ${timeElement(endsAt, `${formatDayAndTime(Date.parse(endsAt))} UTC`, false)}
        . There is no password. For another device, ask an admin for a new link.
      </p>
    </form>`,
    signInFooter(host, pageLink(context, '/sign-in', null, 'Sign in with a token'), ' '),
  ];
  return { title: 'Sign in', isBare: true, main };
}

/** A confirmation, because a link must not sign anybody out. */
export function signOutPage(name: string, host: string, context: PageContext): PageContent {
  const main = [
    html`<p>${logoLink(context)}</p>`,
    html`<h1>Sign out</h1>`,
    html`<p>You are signed in as <bdi><b>${name}</b></bdi>. This ends the session in this browser only.</p>`,
    actionForm(
      context,
      '/sign-out',
      { class: 'stack' },
      html`<p class="acts">
        ${submitButton('Sign out', { class: 'btn primary' })}${' '}
        ${pageLink(context, '/', { class: 'btn' }, 'Cancel')}
      </p>`,
    ),
    signInFooter(host),
  ];
  return { title: 'Sign out', isBare: true, main };
}

function signInFooter(host: string, ...methods: Content[]): VNode {
  return html`<p class="gate-foot">${methods}<span class="dim"><bdi>${host}</bdi></span></p>`;
}

/** `see; resolve; and comment`. */
function listed(clauses: readonly string[]): string {
  return clauses.length < 2 ? clauses.join('') : `${clauses.slice(0, -1).join('; ')}; and ${clauses.at(-1)}`;
}
