// What the reference plugin keeps in its tables, in memory. Keys and ids compare as its database compares
// text: without regard to case, blanks at the end aside.
import { createHash } from 'node:crypto';

export type Project = {
  readonly id: number;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly bugReports: boolean;
};

export type Verification = {
  readonly id: string;
  readonly projectId: number;
  readonly domain: string;
  method: string;
  readonly token: string;
  readonly status: string;
  /** Without a zone, as WordPress prints a date of its database. */
  readonly createdAt: string;
};

const createdAt = '2026-01-02T03:04:05';

/** What PHP makes of a project that is null: its id is 0 in a query and nothing in a text. */
export const nobody: Project = { id: 0, publicKey: '', secretKey: '', bugReports: false };

export class PluginStore {
  private readonly projects: readonly Project[] = [
    project(1, true, '00000000000000000000000000000001'),
    project(2, false, '00000000000000000000000000000002'),
  ];
  private verifications: Verification[] = [];
  private readonly issues = new Map<string, number>();
  private readonly events = new Map<number, Set<string>>();
  private lastIssueId = 0;
  private lastRecordId = 0;

  constructor() {
    this.reset();
  }

  /**
   * As installed: one proof. The first project has seen an event, as it had when the exchanges were recorded.
   */
  reset(): void {
    this.issues.clear();
    this.events.clear();
    this.events.set(1, new Set(['seen before']));
    this.lastIssueId = 0;
    this.lastRecordId = 0;
    this.verifications = [
      {
        id: 'dv_fixture-1',
        projectId: 1,
        domain: 'shop.example',
        method: 'dns',
        token: 'notifier-verify=fixture',
        status: 'pending',
        createdAt,
      },
    ];
  }

  findByPublicKey(key: string): Project | null {
    return this.projects.find((each) => collate(each.publicKey) === collate(key)) ?? null;
  }

  findBySecretKey(key: string): Project | null {
    return this.projects.find((each) => collate(each.secretKey) === collate(key)) ?? null;
  }

  /** Files an event under the issue of its shape; the issue's id. */
  saveEvent(owner: Project, eventId: string, message: string, platform: string): number {
    const shape = message.replace(/0x[0-9a-f]+/gi, '<hex>').replace(/\d+/g, '<n>');
    const group = `${owner.id}\n${platform}\n${shape}`;
    const issueId = this.issues.get(group) ?? ++this.lastIssueId;
    this.issues.set(group, issueId);
    const events = this.events.get(owner.id) ?? new Set();
    this.events.set(owner.id, events.add(eventId));
    return issueId;
  }

  countEvents(owner: Project): number {
    return this.events.get(owner.id)?.size ?? 0;
  }

  saveRecord(): number {
    this.lastRecordId += 1;
    return this.lastRecordId;
  }

  findVerification(owner: Project, id: string): Verification | null {
    const fits = (each: Verification) => each.projectId === owner.id && collate(each.id) === collate(id);
    return this.verifications.find(fits) ?? null;
  }

  /** Makes the proof of a domain, or gives the one that is there the new method. */
  saveVerification(owner: Project, domain: string, method: string): Verification {
    const id = `dv_${sha1(`${owner === nobody ? '' : owner.id}/${domain}`).slice(0, 20)}`;
    const known = this.findVerification(owner, id);
    if (known !== null) {
      known.method = method;
      return known;
    }
    const token = `notifier-verify=${sha1(id).slice(0, 12)}`;
    const made = { id, projectId: owner.id, domain, method, token, status: 'pending', createdAt };
    this.verifications.push(made);
    return made;
  }
}

function project(id: number, bugReports: boolean, digits: string): Project {
  return { id, bugReports, publicKey: `pk_test_${digits}`, secretKey: `sk_test_${digits}` };
}

function collate(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ +$/, '');
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
