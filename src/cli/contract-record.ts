import type { ContractIo, ContractWords } from './contract-words.ts';
export async function contractRecord(_words: ContractWords, _io: ContractIo): Promise<number> {
  return 2;
}
