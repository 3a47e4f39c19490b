// `domain add|list|set|remove`: the hosts of a project and the switches that /feedback and /sdk-verify obey.
// The rules are those of POST /domains.
import { type DomainView, domainChangeRequest, domainRequest } from '../../schemas/domains.ts';
import { actAudited, byCommandLine } from '../core/audit/audit.ts';
import { toldOfDomain } from '../core/audit/told.ts';
import type { Deps } from '../core/deps.ts';
import { addDomain, changeDomain, removeDomain } from '../core/domains/domains.ts';
import { viewDomain } from '../core/domains/views.ts';
import { parseDomainHost } from '../core/reading/host-names.ts';
import type { Domain } from '../core/store/domains.ts';
import type { Project } from '../core/store/projects.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  onOff,
  type ParsedWords,
  printable,
  printJson,
  table,
  UsageError,
} from './command.ts';
import { requestOf } from './text/api-words.ts';
import { getChosenProject, getOwned, ownerOption, projectOption } from './which-project.ts';

const switches = {
  'bug-reports': { type: 'string', help: 'on or off: visitors may send bug reports from there' },
  errors: { type: 'string', help: 'on or off: whether SDKs on pages there are told to send errors' },
  sampling: { type: 'string', help: 'share of errors to send, 0 to 1 (told to SDKs)' },
  origins: {
    type: 'string',
    help: 'comma list of origins that may call besides the host, such as https://app.example; empty for none',
  },
} as const;

export const domainAdd: Command = {
  name: 'domain add',
  summary: 'Adds a host to a project; *.example.com stands for all names below.',
  usage: 'HOST [--bug-reports on|off] [--errors on|off] [--sampling 0.5] [--origins LIST] [--project NAME]',
  options: { ...switches, ...projectOption },
  positionals: { least: 1, most: 1 },
  examples: ['domain add shop.example --bug-reports on', "domain add '*.shop.example' --project shop"],
  async run(context, words) {
    const asked = requestOf(domainRequest, { domain: words.positionals[0], ...switchesOf(words) });
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const added = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await addDomain(parts, project, asked);
      return {
        result,
        told: toldOfDomain(result.domain, result.created ? 'domain.added' : 'domain.changed'),
      };
    });
    const domain = await shown(deps, project, added.domain);
    if (words.flag('json')) printJson(context, { ...domain, created: added.created });
    else context.out(`${added.created ? 'Added' : 'Already there'}: ${sentenceOf(domain)}\n`);
    return exitCodes.fine;
  },
};

export const domainList: Command = {
  name: 'domain list',
  onlyReads: true,
  summary: 'Lists the hosts of a project with their switches.',
  usage: '[--project NAME]',
  options: { ...projectOption },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const proofs = await deps.store.listProofs(project.id);
    const listed = await deps.store.listDomains(project.id);
    const domains = listed.map((domain) => viewDomain(domain, proofs));
    if (words.flag('json')) printJson(context, domains);
    else context.out(`${domains.length === 0 ? 'No domains.' : domainTable(domains)}\n`);
    return exitCodes.fine;
  },
};

export const domainSet: Command = {
  name: 'domain set',
  summary: 'Changes the switches of a host.',
  usage: 'HOST [--bug-reports on|off] [--errors on|off] [--sampling 0.5] [--origins LIST] [--project NAME]',
  options: { ...switches, ...ownerOption },
  positionals: { least: 1, most: 1 },
  examples: ['domain set shop.example --bug-reports off'],
  async run(context, words) {
    const given = switchesOf(words);
    if (Object.values(given).every((each) => each === undefined)) {
      throw new UsageError('Say what to change, such as --bug-reports on.');
    }
    const asked = requestOf(domainChangeRequest, given);
    const deps = await context.deps();
    const { project, found } = await domainNamed(deps, words);
    const changed = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await changeDomain(parts, project, found.id, asked);
      return { result, told: toldOfDomain(result, 'domain.changed') };
    });
    const domain = await shown(deps, project, changed);
    if (words.flag('json')) printJson(context, domain);
    else context.out(`${sentenceOf(domain)}\n`);
    return exitCodes.fine;
  },
};

export const domainRemove: Command = {
  name: 'domain remove',
  summary: 'Takes a host off a project: bug reports from there are refused. Its proof of ownership stays.',
  usage: 'HOST [--project NAME]',
  options: { ...ownerOption },
  positionals: { least: 1, most: 1 },
  examples: ['domain remove old.example'],
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await domainNamed(deps, words);
    const removed = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await removeDomain(parts, project, found.id);
      return { result, told: toldOfDomain(result, 'domain.removed') };
    });
    const previous = await shown(deps, project, removed);
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: ${previous.domain}\n`);
    return exitCodes.fine;
  },
};

function domainNamed(deps: Deps, words: ParsedWords): Promise<{ project: Project; found: Domain }> {
  const word = words.positionals[0] ?? '';
  const host = parseDomainHost(word);
  if (host === null) {
    throw new CommandFailure(
      `"${printable(word)}" is no host name: give shop.example or *.shop.example, no port.`,
    );
  }
  return getOwned(deps, words, `domain "${host}"`, async (project) => {
    const domains = await deps.store.listDomains(project.id);
    return domains.find((domain) => domain.host === host) ?? null;
  });
}

/** The switches by the API's names, each as a form would write it. */
function switchesOf(words: ParsedWords): Record<string, string | undefined> {
  return {
    bug_reports: onOff(words, 'bug-reports')?.toString(),
    errors: onOff(words, 'errors')?.toString(),
    sampling: words.text('sampling'),
    allowed_origins: words.text('origins'),
  };
}

async function shown(deps: Deps, project: Project, domain: Domain): Promise<DomainView> {
  return viewDomain(domain, await deps.store.listProofs(project.id));
}

function domainTable(domains: readonly DomainView[]): string {
  const rows = domains.map((domain) => [
    domain.domain_id,
    domain.domain,
    domain.bug_reports ? 'on' : 'off',
    domain.errors ? 'on' : 'off',
    domain.sampling,
    domain.allowed_origins.join(' ') || '–',
    domain.verification_id ?? '–',
  ]);
  return table(['ID', 'Host', 'Bug reports', 'Errors', 'Sampling', 'Origins', 'Proof'], rows);
}

function sentenceOf(domain: DomainView): string {
  const onOffText = (on: boolean): string => (on ? 'on' : 'off');
  const { allowed_origins: origins } = domain;
  const invited = origins.length === 0 ? '' : `, origins ${origins.join(' ')}`;
  return `${domain.domain}, bug reports ${onOffText(domain.bug_reports)}, errors ${onOffText(domain.errors)}, sampling ${domain.sampling}${invited}`;
}
