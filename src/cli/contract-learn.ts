import type { ContractIo, ContractWords } from './contract-words.ts';
export async function contractLearn(_words: ContractWords, _io: ContractIo): Promise<number> {
  return 2;
}
