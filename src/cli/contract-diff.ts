import type { ContractIo, ContractWords } from './contract-words.ts';
export async function contractDiff(_words: ContractWords, _io: ContractIo): Promise<number> {
  return 2;
}
