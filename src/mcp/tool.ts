import { z } from 'zod';
import { tokensDefault, tokensMax, tokensMin } from './answer.ts';
import type { McpUser } from './user.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  readonly input: z.ZodRawShape;
  readonly changes: boolean;
  /** `given` was checked against `input`. Throws `PageError` and `RestError`. */
  answer(user: McpUser, given: Readonly<Record<string, unknown>>): Promise<string>;
}

interface Declared<Input extends z.ZodRawShape> extends Omit<Tool, 'input' | 'changes' | 'answer'> {
  readonly input: Input;
  readonly changes?: true;
  answer(user: McpUser, given: z.infer<z.ZodObject<Input>>): Promise<string>;
}

export function tool<Input extends z.ZodRawShape>(declared: Declared<Input>): Tool {
  return { ...(declared as unknown as Tool), changes: declared.changes ?? false };
}

export const tokensField = z
  .int()
  .min(tokensMin)
  .max(tokensMax)
  .default(tokensDefault)
  .describe('Longest answer in tokens, of about 4 characters. What is left out is said.');

export const projectField = z
  .string()
  .max(100)
  .optional()
  .describe('Name or number of a project. Default: all.');

export const cursorField = z
  .string()
  .max(200)
  .optional()
  .describe('From the answer before, for the next rows.');
