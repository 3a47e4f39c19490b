// What each role may do. Tests check every page and action against this table.
import { type Role, roles } from '../store/members.ts';

export interface Permission {
  /** Completes "may …". */
  readonly words: string;
  readonly needs: Role;
}

export const permissions = {
  look: { words: 'view their projects, without secrets', needs: 'viewer' },
  self: {
    words: 'revoke their own sessions, save their own views and settings, unsubscribe',
    needs: 'viewer',
  },
  issues: { words: 'resolve, ignore, merge, assign, comment', needs: 'member' },
  feedback: { words: 'work with feedback', needs: 'member' },
  monitors: { words: 'create, update and pause monitors', needs: 'member' },
  incidents: { words: 'create and update incidents', needs: 'member' },
  reports: { words: 'save reports', needs: 'member' },
  states: { words: 'set the state of a status page component', needs: 'member' },
  tests: { words: 'quarantine test cases', needs: 'member' },
  files: { words: 'download scripts and source maps', needs: 'member' },
  deletion: { words: 'delete issues, feedback, monitors, incidents and reports', needs: 'admin' },
  projects: { words: 'create, update and delete projects, keys and domains', needs: 'admin' },
  channels: { words: 'create, update and delete alert channels and rules', needs: 'admin' },
  statusPages: { words: 'create, update and delete status pages', needs: 'admin' },
  members: { words: 'invite, update and remove members', needs: 'admin' },
  personalData: { words: 'reveal, export and erase the data of a user', needs: 'admin' },
  export: { words: 'export the audit log', needs: 'admin' },
} as const satisfies Readonly<Record<string, Permission>>;

export function roleIncludes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export function permissionsOf(role: Role): Permission[] {
  return Object.values(permissions).filter(({ needs }) => roleIncludes(role, needs));
}
