'use client';

import { createStoredValue, useStoredValue } from '../../stored-value';
import { createFieldDrafts } from '../../text-drafts';

/** What is typed in the form that calls a contract. `args` is JSON: texts by signature and place. */
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

/** The ABI that contracts were called by in this browser, by their address in small letters: answers are decoded by it. */
export function useContractAbis(): Abis {
  return useStoredValue(abiStore);
}

/** Keeps the ABI of a contract; the one kept longest ago goes. */
export function keepContractAbi(address: string, abi: string): void {
  const place = address.toLowerCase();
  const others = Object.entries(abiStore.get()).filter(([each]) => each !== place);
  if (abi.length <= ABI_CHARACTERS_MAX)
    abiStore.set(Object.fromEntries([...others, [place, abi] as const].slice(-CONTRACTS_MAX)));
}

export function forgetContractAbi(address: string): void {
  abiStore.set(Object.fromEntries(Object.entries(abiStore.get()).filter(([each]) => each !== address.toLowerCase())));
}

/** Keeps what is text; an older or a foreign shape must not break the page. */
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
