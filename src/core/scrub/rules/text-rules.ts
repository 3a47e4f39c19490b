// The table of all rules about text, in the order in which they are asked. A rule that is a pattern stands in
// one of these lists; what no pattern can tell is a function beside its tables of words.

import { tableOf } from '../table/rules.ts';
import { assignmentRule, nameAssignmentRule } from './assignments.ts';
import { callRules } from './calls.ts';
import { commandRules } from './commands.ts';
import { documentRules } from './documents.ts';
import { keyRules, linkRules, userRules } from './form-rules.ts';
import { foreignRule, saidRules } from './said-rules.ts';
import { boundRule, insertRule } from './statements.ts';

export const textRules = tableOf([
  ...keyRules,
  ...commandRules,
  assignmentRule,
  boundRule,
  ...documentRules,
  ...callRules,
  saidRules,
  insertRule,
  foreignRule,
  ...userRules,
  ...linkRules,
]);

/** For names of files and functions, which grouping and maps need as they are. */
export const formRules = tableOf([...keyRules, nameAssignmentRule, ...linkRules]);
