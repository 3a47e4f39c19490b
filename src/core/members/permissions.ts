// What each role may do. Tests check every page and action against this table.
import { type Role, roles } from '../store/members.ts';

export interface Permission {
  /** Completes "may …". */
  readonly words: string;
  readonly needs: Role;
}

export const permissions = {
  look: { words: 'see their projects, but no secrets', needs: 'viewer' },
  self: { words: 'end their own sessions, save own views and settings, unsubscribe', needs: 'viewer' },
  issues: { words: 'resolve, ignore, merge, assign, comment', needs: 'member' },
  feedback: { words: 'work with feedback', needs: 'member' },
  monitors: { words: 'make, change and pause monitors', needs: 'member' },
  incidents: { words: 'open incidents, and work with them', needs: 'member' },
  reports: { words: 'keep reports as they are', needs: 'member' },
  states: { words: 'say how a part of a status page is', needs: 'member' },
  tests: { words: 'quarantine test cases', needs: 'member' },
  files: { words: 'take scripts and source maps away', needs: 'member' },
  deletion: { words: 'delete issues, feedback, monitors, incidents and reports', needs: 'admin' },
  projects: { words: 'change projects, keys and domains', needs: 'admin' },
  channels: { words: 'change alert channels and their rules', needs: 'admin' },
  statusPages: { words: 'make, change and delete status pages', needs: 'admin' },
  members: { words: 'invite, change and remove members', needs: 'admin' },
  personalData: { words: 'reveal, export and erase the data of a user', needs: 'admin' },
  export: { words: 'export the audit log', needs: 'admin' },
} as const satisfies Readonly<Record<string, Permission>>;

export function roleIncludes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export function permissionsOf(role: Role): Permission[] {
  return Object.values(permissions).filter(({ needs }) => roleIncludes(role, needs));
}
