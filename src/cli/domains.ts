// `domain add|list|set`: the hosts of a project and the switches that /feedback and /sdk-verify obey.
import { parseDomainHost } from '../core/domain-names.ts';
import { viewDomain } from '../core/domains.ts';
import type { Domain, DomainChange } from '../core/store.ts';
import {
  type Command,
  CommandFailure,
  chosenProject,
  exitCodes,
  onOff,
  type ParsedWords,
  projectOption,
  table,
  UsageError,
} from './command.ts';

const switches = {
  'bug-reports': { type: 'string', help: 'on or off: visitors may send bug reports from there' },
  errors: { type: 'string', help: 'on or off: whether SDKs on pages there are told to send errors' },
  sampling: { type: 'string', help: 'share of errors to send, 0 to 1 (told to SDKs)' },
  origins: { type: 'string', help: 'comma list of origins that may call besides the host' },
} as const;

export const domainAdd: Command = {
  name: 'domain add',
  summary: 'Adds a host to a project; *.example.com stands for all names below.',
  usage: 'HOST [--bug-reports on] [--project NAME]',
  options: { ...switches, ...projectOption },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const change = changeOf(words);
    const project = await chosenProject(deps, words);
    const host = hostOf(words.positionals[0]);
    const added = await deps.store.addDomain({
      projectId: project.id,
      host,
      bugReports: change.bugReports ?? false,
      createdAtMs: deps.now(),
    });
    const domain = (await deps.store.changeDomain(project.id, added.domain.id, change)) ?? added.domain;
    if (words.flag('json'))
      context.out(`${JSON.stringify({ ...domainJson(domain), created: added.created }, null, 2)}\n`);
    else context.out(`${added.created ? 'Added' : 'Already there'}: ${domain.host}, ${switchText(domain)}\n`);
    return exitCodes.fine;
  },
};

export const domainList: Command = {
  name: 'domain list',
  summary: 'Lists the hosts of a project with their switches.',
  usage: '[--project NAME]',
  options: { ...projectOption },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await chosenProject(deps, words);
    const proofs = await deps.store.listProofs(project.id);
    const domains = (await deps.store.listDomains(project.id)).map((domain) => ({
      ...domain,
      verificationId: viewDomain(domain, proofs).verification_id,
    }));
    if (words.flag('json')) {
      context.out(`${JSON.stringify(domains.map(domainJson), null, 2)}\n`);
      return exitCodes.fine;
    }
    const rows = domains.map((domain) => [
      domain.id,
      domain.host,
      domain.bugReports ? 'on' : 'off',
      domain.errors ? 'on' : 'off',
      domain.sampling,
      domain.allowedOrigins.join(' ') || '–',
      domain.verificationId ?? '–',
    ]);
    const headings = ['ID', 'Host', 'Bug reports', 'Errors', 'Sampling', 'Origins', 'Proof'];
    context.out(`${table(headings, rows)}\n`);
    return exitCodes.fine;
  },
};

export const domainSet: Command = {
  name: 'domain set',
  summary: 'Changes the switches of a host.',
  usage: 'HOST [--bug-reports on|off] [--errors on|off] [--sampling 0.5] [--project NAME]',
  options: { ...switches, ...projectOption },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const change = changeOf(words);
    if (Object.keys(change).length === 0)
      throw new UsageError('Say what to change, such as --bug-reports on.');
    const project = await chosenProject(deps, words);
    const host = hostOf(words.positionals[0]);
    const found = (await deps.store.listDomains(project.id)).find((domain) => domain.host === host);
    if (found === undefined)
      throw new CommandFailure(`${host} is no domain of the project "${project.name}".`);
    const domain = (await deps.store.changeDomain(project.id, found.id, change)) ?? found;
    if (words.flag('json')) context.out(`${JSON.stringify(domainJson(domain), null, 2)}\n`);
    else context.out(`${domain.host}: ${switchText(domain)}\n`);
    return exitCodes.fine;
  },
};

function hostOf(word: string | undefined): string {
  const host = parseDomainHost(word ?? '');
  if (host === null)
    throw new CommandFailure(`"${word}" is no host name: give shop.example or *.shop.example, no port.`);
  return host;
}

function changeOf(words: ParsedWords): DomainChange {
  const change: { -readonly [Name in keyof DomainChange]: DomainChange[Name] } = {};
  const bugReports = onOff(words, 'bug-reports');
  const errors = onOff(words, 'errors');
  const sampling = words.text('sampling');
  const origins = words.text('origins');
  if (bugReports !== undefined) change.bugReports = bugReports;
  if (errors !== undefined) change.errors = errors;
  if (sampling !== undefined) {
    if (!/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(sampling))
      throw new UsageError('--sampling is a number from 0 to 1.');
    change.sampling = Number(sampling);
  }
  if (origins !== undefined) {
    change.allowedOrigins = origins
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  }
  return change;
}

function switchText(domain: Domain): string {
  const onOffText = (on: boolean): string => (on ? 'on' : 'off');
  return `bug reports ${onOffText(domain.bugReports)}, errors ${onOffText(domain.errors)}, sampling ${domain.sampling}`;
}

function domainJson(domain: Domain): object {
  return {
    domain_id: domain.id,
    host: domain.host,
    bug_reports: domain.bugReports,
    errors: domain.errors,
    sampling: domain.sampling,
    allowed_origins: domain.allowedOrigins,
    verification_id: domain.verificationId,
  };
}
