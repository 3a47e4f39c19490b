import { setTimeout as sleep } from 'node:timers/promises';
import { type DomainView, domainChangeRequest, domainRequest } from '../../../schemas/domains.ts';
import { type AuditSource, commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import type { Challenge } from '../../core/domains/challenges.ts';
import type { CheckResult } from '../../core/domains/checks.ts';
import { createDomain, deleteDomain, updateDomain } from '../../core/domains/domains.ts';
import { countsAsVerified } from '../../core/domains/verification-states.ts';
import { checkVerification, createVerification } from '../../core/domains/verifications.ts';
import { viewDomain, viewVerification } from '../../core/domains/views.ts';
import { minuteMs } from '../../core/parsing/durations.ts';
import { parseListedHost } from '../../core/parsing/host-names.ts';
import type { Domain, DomainVerification } from '../../core/store/domains.ts';
import type { Project } from '../../core/store/projects.ts';
import {
  type Command,
  CommandError,
  exitCodes,
  type Output,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import { printJson, sanitizeForTerminal, timeText } from '../print.ts';
import { getSelectedProject, getWithProject, ownerOption, projectOption } from '../project-option.ts';
import { resourceCommands } from '../resource.ts';

const methods = ['any', 'dns_txt', 'http_file', 'html_meta'] as const;
const intervalMs = 15_000;

export const domainVerifyCommand: Command = {
  name: 'domain verify',
  summary: 'Verify that you own a domain: shows the record, file or tag to publish, and checks for it.',
  usage: 'DOMAIN [--method dns_txt] [--subdomains] [--wait 10] [--project NAME]',
  options: {
    method: 'any, dns_txt, http_file or html_meta (default: any)',
    subdomains: { flag: 'verify all subdomains as well, by DNS' },
    wait: 'minutes to keep checking (default: 10; 0 checks once)',
    ...projectOption,
  },
  async run(context, args) {
    const deps = await context.deps();
    const project = await getSelectedProject(deps, args);
    const isJson = args.flag('json');
    // With --json, progress goes to stderr.
    const print = isJson ? context.err : context.out;
    const { proof } = await createVerification(deps, project, verificationRequest(args), commandLineSource);
    print(publishInstructions(proof, deps));
    const found = countsAsVerified(proof)
      ? proof
      : await waitForVerification(
          deps,
          project,
          proof,
          { ...context, out: print },
          { waitMs: waitMinutes(args) * minuteMs, sleep: (milliseconds) => sleep(milliseconds) },
        );
    if (isJson) printJson(context, viewVerification(found, deps.config));
    print(resultText(found));
    return countsAsVerified(found) ? exitCodes.fine : exitCodes.failed;
  },
};

const usage =
  'HOST [--bug-reports on|off] [--errors on|off] [--sampling 0.5] [--origins LIST] [--project NAME]';
const names = { allowed_origins: 'origins' };

export const domainCommands = resourceCommands({
  name: 'domain',
  view: async (domain: Domain, { store }: Deps) =>
    viewDomain(domain, await store.listDomainVerifications(domain.projectId)),
  title: ({ domain }) => domain,
  parent: getSelectedProject,
  target: domainNamed,
  create: {
    aliases: ['add'],
    summary: 'Add a domain to a project; *.example.com includes all its subdomains.',
    usage,
    schema: domainRequest,
    first: 'domain',
    except: ['host', 'hostname'],
    names,
    options: projectOption,
    examples: [
      'domain create shop.example --bug-reports on',
      "domain create '*.shop.example' --project shop",
    ],
    async run(deps, input, project) {
      const { domain, created } = await createDomain(deps, project, input, commandLineSource);
      return { result: domain, members: { created } };
    },
    message: (domain, { members }) =>
      `${members?.['created'] === true ? 'Created' : 'Already exists'}: ${sentenceOf(domain)}`,
  },
  list: {
    summary: 'List the domains of a project with their settings.',
    usage: '[--project NAME]',
    options: projectOption,
    async read(context, args) {
      const deps = await context.deps();
      return deps.store.listDomains((await getSelectedProject(deps, args)).id);
    },
    emptyText: 'No domains.',
    columns: {
      ...{ ID: 'domain_id', Domain: 'domain' },
      'Bug reports': ({ bug_reports: on }) => onOffText(on),
      Errors: ({ errors }) => onOffText(errors),
      Sampling: 'sampling',
      Origins: ({ allowed_origins: origins }) => origins.join(' ') || null,
      Verification: ({ verification_id: id }) => id ?? '–',
    },
  },
  show: {
    summary: 'Show one domain with its settings and its verification.',
    usage: 'HOST [--project NAME]',
    options: ownerOption,
    read: async (_deps, { found }) => found,
  },
  update: {
    aliases: ['set'],
    summary: 'Edit the settings of a domain.',
    usage,
    schema: domainChangeRequest,
    names,
    example: '--bug-reports on',
    options: ownerOption,
    examples: ['domain update shop.example --bug-reports off'],
    run: (deps, { project, found }, changes) =>
      updateDomain(deps, project, found.id, changes, commandLineSource),
    message: sentenceOf,
  },
  others: [domainVerifyCommand],
  remove: {
    aliases: ['remove'],
    summary: 'Remove a domain from a project. Bug reports from it are refused. Its verification stays.',
    usage: 'HOST [--project NAME]',
    options: ownerOption,
    examples: ['domain delete old.example'],
    run: (deps, { project, found }) => deleteDomain(deps, project, found.id, commandLineSource),
    message: ({ domain }) => `Deleted: ${domain}`,
  },
});

function domainNamed(deps: Deps, args: ParsedArgs): Promise<{ project: Project; found: Domain }> {
  const word = args.positionals[0] ?? '';
  const host = parseListedHost(word);
  if (host === null) {
    throw new CommandError(
      `"${sanitizeForTerminal(word)}" is not a hostname. Enter, for example, shop.example or *.shop.example, without a port.`,
    );
  }
  return getWithProject(deps, args, `domain "${host}"`, async (project) => {
    const domains = await deps.store.listDomains(project.id);
    return domains.find((domain) => domain.host === host) ?? null;
  });
}

function sentenceOf(domain: DomainView): string {
  const { domain: host, bug_reports: reports, errors, sampling, allowed_origins: origins } = domain;
  const invited = origins.length === 0 ? '' : `, origins ${origins.join(' ')}`;
  return `${host}, bug reports ${onOffText(reports)}, errors ${onOffText(errors)}, sampling ${sampling}${invited}`;
}

function onOffText(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}

/** Checks every 15 seconds until verified or `waitMs` have passed; prints what changed since the last one. */
export async function waitForVerification(
  deps: Deps,
  project: Project,
  proof: DomainVerification,
  output: Pick<Output, 'out' | 'isTerminal'>,
  options: { waitMs: number; sleep: (milliseconds: number) => Promise<void> },
): Promise<DomainVerification> {
  const endsAtMs = deps.now() + options.waitMs;
  let printed = '';
  // One request: its repeats are not audited.
  let by: AuditSource | null = commandLineSource;
  for (;;) {
    const checked = await checkVerification(deps, project, { id: proof.id }, by);
    by = null;
    const results = checked.checks.map(checkLine).join('');
    if (results !== printed) output.out(`${timeText(deps.now())}\n${results}`);
    else if (output.isTerminal) output.out('.');
    printed = results;
    if (countsAsVerified(checked.proof) || deps.now() + intervalMs > endsAtMs) return checked.proof;
    if (results !== '' && output.isTerminal) output.out('  Checking again every 15 seconds ');
    await options.sleep(intervalMs);
  }
}

function verificationRequest(args: ParsedArgs) {
  const method = args.text('method') ?? 'any';
  const known = methods.find((each) => each === method);
  if (known === undefined) throw new UsageError(`--method must be one of ${methods.join(', ')}.`);
  return {
    domain: args.positionals[0] ?? '',
    method: known,
    scope: args.flag('subdomains') ? ('subdomains' as const) : ('host' as const),
  };
}

function waitMinutes(args: ParsedArgs): number {
  const text = args.text('wait') ?? '10';
  if (!/^\d{1,4}$/.test(text)) throw new UsageError('--wait must be a number of minutes.');
  return Number(text);
}

function publishInstructions(proof: DomainVerification, { config }: Pick<Deps, 'config'>): string {
  const { domain, domain_unicode, challenges } = viewVerification(proof, config);
  const name = domain === domain_unicode ? domain : `${sanitizeForTerminal(domain_unicode)} (${domain})`;
  if (countsAsVerified(proof)) return `${name} is already verified.\n`;
  const intro = challenges.length === 1 ? 'publish this' : 'publish one of these';
  return `To verify ${name}, ${intro}:\n\n${challenges.map(challengeText).join('\n')}\n`;
}

function aliasLine(target: string | undefined): string {
  return target === undefined ? '' : `    Or CNAME to  ${target}\n`;
}

function challengeText(challenge: Challenge): string {
  switch (challenge.type) {
    case 'dns_txt':
      return `  DNS record (dns_txt)\n    Name   ${challenge.name}\n    Type   TXT\n    Value  ${challenge.value}\n${aliasLine(challenge.cname_also_ok)}`;
    case 'http_file':
      return `  File (http_file)\n    URL      ${challenge.url}\n    Content  ${challenge.body}\n`;
    case 'html_meta':
      return `  Meta tag in the head of a page (html_meta)\n    Page  ${challenge.url}\n    Tag   ${challenge.tag}\n`;
  }
}

function checkLine(check: CheckResult): string {
  return `  ${check.type.padEnd(9)}  ${check.ok ? '' : `${check.code}: `}${check.detail}\n`;
}

function resultText(proof: DomainVerification): string {
  if (countsAsVerified(proof)) {
    return `${proof.domain} is verified by ${proof.verifiedBy}. Keep it published: it is checked again every day.\n`;
  }
  return `${proof.domain} is not verified yet. The server keeps checking every hour until ${timeText(proof.expiresAtMs)} UTC. To check now, run this command again.\n`;
}
