import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { commandHelp, parseCommandArgs } from '../../src/cli/command.ts';
import { resourceCommands } from '../../src/cli/resource.ts';
import { toCommandError } from '../../src/cli/schema-options.ts';

const settings = {
  size: z.int().min(1).max(9).nullish().describe('How large it is; 3 unless said.'),
  shape: z.enum(['round', 'flat']).nullish().describe('What it looks like.'),
  is_hot: z.boolean().nullish().describe('Whether it is hot.'),
  tags: z.array(z.string()).nullish().describe('Words to find it by.'),
};
const thingRequest = z.looseObject({ name: z.string(), ...settings });
const thingChangeRequest = z.looseObject(settings);

interface Thing {
  readonly id: number;
  readonly asked: object;
}

const commands = resourceCommands({
  name: 'thing',
  view: ({ id, asked }: Thing) => ({ thing_id: id, ...asked }),
  title: ({ thing_id: id }) => `number ${id}`,
  target: (_deps, words) => Number(words.positionals[0]),
  create: {
    ...{
      aliases: ['add'],
      summary: 'Adds one.',
      usage: 'NAME [--size N]',
      schema: thingRequest,
      first: 'name',
    },
    run: async (_deps, asked) => ({ result: { id: 7, asked }, members: { secret: 's' }, line: 'Keep it.' }),
    message: ({ thing_id: id }) => `Added: ${id}`,
  },
  list: {
    ...{ summary: 'Lists them.', emptyText: 'None.', columns: { ID: 'thing_id' } },
    read: async () => [{ id: 7, asked: {} }],
  },
  show: { summary: 'Shows one.', read: async (_deps, id) => ({ id, asked: {} }) },
  update: {
    ...{ summary: 'Changes one.', usage: 'ID [--size N]', schema: thingChangeRequest, example: '--size 3' },
    ...{ flags: ['is_hot'], dependentFields: ['is_hot'] },
    run: async (_deps, id, asked) => ({ id, asked }),
    message: ({ thing_id: id }) => `Changed: ${id}`,
  },
  remove: { summary: 'Deletes one.', run: async (_deps, id) => ({ id, asked: {} }) },
});

async function run(verb: string, ...argv: string[]) {
  const command = commands.find(({ name }) => name === `thing ${verb}`);
  if (command === undefined) throw new Error(`no ${verb}`);
  const words = parseCommandArgs(command, argv);
  try {
    return await command.run({ deps: async () => ({}) } as never, words);
  } catch (error) {
    throw toCommandError(error);
  }
}

describe('the commands of a noun', () => {
  it('are create, list, show, update and delete, with the options of the schema', () => {
    expect(commands.map(({ name }) => name.slice('thing '.length))).toEqual([
      ...['create', 'list', 'show', 'update', 'delete'],
    ]);
    const [add, , , update] = commands.map(commandHelp);
    expect(add).toMatch(/--size +how large it is; 3 unless said\n/);
    expect(add).toMatch(/--shape +what it looks like \(round, flat\)\n/);
    expect(add).toMatch(/--is-hot +whether it is hot \(on or off\)\n/);
    expect(add).toMatch(/--tags +words to find it by \(separated by commas\)\n/);
    expect(add).not.toContain('--name');
    expect(update).toMatch(/--is-hot +whether it is hot\n/);
  });

  it('read options as the API reads a form, and print what the API answers', async () => {
    const options = ['--size', '4', '--is-hot', 'off', '--tags', 'a,b'];
    expect(await run('create', 'Pan', ...options)).toEqual({
      json: { thing_id: 7, name: 'Pan', size: 4, is_hot: false, tags: ['a', 'b'], secret: 's' },
      text: 'Added: 7\nKeep it.',
    });
    expect(await run('update', '3', '--is-hot', '--size', '2')).toMatchObject({
      json: { thing_id: 3, size: 2, is_hot: true },
    });
    expect(await run('list')).toEqual({ json: [{ thing_id: 7 }], text: 'ID\n──\n 7' });
    expect(await run('show', '5')).toMatchObject({ text: 'Thing 5, number 5\n  thing id  5\n' });
    expect(await run('delete', '5')).toEqual({
      json: { deleted: true, previous: { thing_id: 5 } },
      text: 'Deleted: thing 5, number 5',
    });
  });

  it('refuse input in the words of the API', async () => {
    const between = 'size must be between 1 (inclusive) and 9 (inclusive)';
    await expect(run('create', 'Pan', '--size', '99')).rejects.toThrow(between);
    await expect(run('create', 'Pan', '--size', 'x', '--shape', 'odd')).rejects.toThrow(
      'size is not of type integer,null. shape is not one of round, flat, and null.',
    );
    await expect(run('create', 'Pan', '--is-hot', 'yes')).rejects.toThrow('--is-hot must be on or off.');
    await expect(run('update', '3')).rejects.toThrow(
      'Nothing to change. Enter an option, for example --size 3.',
    );
    await expect(run('update', '3', '--is-hot')).rejects.toThrow('Nothing to change');
    await expect(run('create')).rejects.toThrow('Arguments of thing create: NAME [--size N]');
  });
});
