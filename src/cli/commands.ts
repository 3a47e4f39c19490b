// Every command, in the order of the help.
import type { Command } from './command.ts';
import { contractCommand } from './contract.ts';
import { domainVerify } from './domain-verify.ts';
import { domainAdd, domainList, domainSet } from './domains.ts';
import { eventShow, issueList, issueShow } from './issues.ts';
import { keyCreate, keyList, keyRevoke, keyRotate } from './keys.ts';
import { projectCreate, projectList, projectSet } from './projects.ts';
import { serveCommand } from './serve.ts';
import { tokenRotate } from './token.ts';
import { versionCommand } from './version.ts';

export const commands: readonly Command[] = [
  serveCommand,
  projectCreate,
  projectList,
  projectSet,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  domainAdd,
  domainList,
  domainSet,
  domainVerify,
  issueList,
  issueShow,
  eventShow,
  tokenRotate,
  contractCommand,
  versionCommand,
];
