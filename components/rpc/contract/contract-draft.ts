'use client';

import { createStoredValue, useStoredValue } from '@/lib/browser/storage/stored-value';
import { createFieldDrafts } from '@/lib/browser/storage/text-drafts';

/**
 * Draft of the contract form. `args` is a JSON object with the text of each argument. Its member names contain the
 * function's signature and the argument's position.
 */
export const useContractDraft = createFieldDrafts('turnpike.rpc-contract', {
  abi: '',
  address: '',
  signature: '',
  args: '{}',
});

type Abis = Readonly<Record<string, string>>;

const CONTRACTS_MAX = 20;
const ABI_CHARACTERS_MAX = 100_000;

const abiStore = createStoredValue<Abis>({ key: 'turnpike.rpc-abis', initial: {}, parse: parseAbis });

/** Returns the ABIs used in this browser, by lower-case contract address, for decoding answers. */
export function useContractAbis(): Abis {
  return useStoredValue(abiStore);
}

/** Stores the ABI of a contract. Keeps only the newest CONTRACTS_MAX ABIs. */
export function keepContractAbi(address: string, abi: string): void {
  const place = address.toLowerCase();
  const others = Object.entries(abiStore.get()).filter(([each]) => each !== place);
  if (abi.length <= ABI_CHARACTERS_MAX)
    abiStore.set(Object.fromEntries([...others, [place, abi] as const].slice(-CONTRACTS_MAX)));
}

export function forgetContractAbi(address: string): void {
  abiStore.set(Object.fromEntries(Object.entries(abiStore.get()).filter(([each]) => each !== address.toLowerCase())));
}

export function parseAbis(stored: unknown): Abis | null {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return null;
  return Object.fromEntries(
    Object.entries(stored)
      .filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= ABI_CHARACTERS_MAX,
      )
      .slice(-CONTRACTS_MAX),
  );
}
