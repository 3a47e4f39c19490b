import type { VNode } from 'preact';
import type { InvitationModel, SignInError, SignInModel } from '../../core/page-models/sign-in.ts';
import { actionForm, field, submitButton } from '../components/controls.ts';
import { pageLink } from '../components/link.ts';
import { timeElement } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import { formatDayAndTime } from '../formatters/times.ts';
import { logoLink } from '../layout/navigation-layout.ts';
import { type PageContent, type PageContext, pageUrl } from '../page-context.ts';

export function signInPage(model: SignInModel, context: PageContext): PageContent {
  const { fault, next, host } = model;
  const ofToken = fault === 'unknown_token' || fault === 'too_many_tries';
  const hint = [
    'Printed at the first start. To create a new one, run on the server: ',
    html`<code>npm run notifier -- token rotate</code>`,
  ];
  const main = [
    html`<p>${logoLink(context)}</p>`,
    html`<h1>Sign in</h1>`,
    fault === null || ofToken ? null : html`<p class="note" role="status">${faultWords(fault, null)}</p>`,
    el(
      'form',
      { class: 'stack', method: 'post', action: pageUrl(context, '/sign-in') },
      html`<input type="hidden" name="next" value=${next} />`,
      html`<input type="text" value="token" autocomplete="username" readonly hidden />`,
      field(
        {
          id: 'token',
          label: 'Workspace token',
          hint,
          wrong: ofToken ? faultWords(fault, model.tries_left) : null,
        },
        { name: 'token', type: 'password', autocomplete: 'current-password', required: true, maxlength: 256 },
      ),
      html`<p>${submitButton('Sign in', { class: 'btn primary' })}</p>`,
    ),
    el(
      'p',
      { class: 'hint' },
      'Members sign in with a link, created by an admin or on the server: ',
      html`<code>npm run notifier -- member link NAME</code>`,
    ),
    gateFoot(host),
  ];
  return { title: 'Sign in', isBare: true, main };
}

function faultWords(fault: SignInError, triesLeft: number | null): string {
  switch (fault) {
    case 'unknown_token':
      return triesLeft === null
        ? 'Unknown token.'
        : `This token is not known here. ${left(triesLeft)} this minute.`;
    case 'too_many_tries':
      return 'Too many attempts from your address. Wait a minute, then try again.';
    case 'link_used':
      return 'This link has already been used. Ask for a new one.';
    case 'link_over':
      return 'This link has expired: links work for 15 minutes. Ask for a new one.';
    case 'link_unknown':
      return 'Unknown link. Check that it is complete. A newer link replaces earlier ones.';
    case 'link_elsewhere':
      return 'This link works only in a browser on the machine that runs Notifier. Elsewhere, sign in with the token.';
  }
}

function left(tries: number): string {
  return tries === 0 ? 'No attempts are left' : `${counted(tries, 'attempt is', 'attempts are')} left`;
}

/** Opening the page does not use the link up; its button does. */
export function invitationPage(model: InvitationModel, frame: PageContext): PageContent {
  const { link, name, role, may, ends_at: endsAt, next, host } = model;
  const main = [
    html`<p>${logoLink(frame)}</p>`,
    html`<div>
      <h1>Sign in as <bdi>${name}</bdi></h1>
      <p class="lede">
        You are signing in to this workspace as ${role === 'admin' ? 'an ' : 'a '}<b>${role}</b>
        : you may ${listed(may)}.
      </p>
    </div>`,
    html`<form class="stack" method="post" action=${pageUrl(frame, '/sign-in')}>
      <input type="hidden" name="link" value=${link} /><input type="hidden" name="next" value=${next} />
      <p>${submitButton('Sign in', { class: 'btn primary' })}</p>
      <p class="hint">
        This link works once, until ${timeElement(endsAt, `${formatDayAndTime(Date.parse(endsAt))} UTC`, false)}
        . There is no password. For another device, ask an admin for a new link.
      </p>
    </form>`,
    gateFoot(host, pageLink(frame, { path: '/sign-in' }, null, 'Sign in with a token'), ' '),
  ];
  return { title: 'Sign in', isBare: true, main };
}

/** A confirmation, because a link must not sign anybody out. */
export function signOutPage(name: string, host: string, frame: PageContext): PageContent {
  const main = [
    html`<p>${logoLink(frame)}</p>`,
    html`<h1>Sign out</h1>`,
    html`<p>You are signed in as <bdi><b>${name}</b></bdi>. This ends the session in this browser only.</p>`,
    actionForm(
      frame,
      '/sign-out',
      { class: 'stack' },
      el(
        'p',
        { class: 'acts' },
        submitButton('Sign out', { class: 'btn primary' }),
        ' ',
        pageLink(frame, { path: '/' }, { class: 'btn' }, 'Cancel'),
      ),
    ),
    gateFoot(host),
  ];
  return { title: 'Sign out', isBare: true, main };
}

function gateFoot(host: string, ...ways: Content[]): VNode {
  return html`<p class="gate-foot">${ways}<span class="dim"><bdi>${host}</bdi></span></p>`;
}

/** `see; resolve; and comment`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join('; ')}; and ${words.at(-1)}`;
}
