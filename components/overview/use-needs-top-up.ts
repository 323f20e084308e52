'use client';

import { useBalance } from '@/components/paying/use-balance';
import { useCredential } from '@/lib/browser/credential/credential';
import { useIsPageOffered } from '@/lib/browser/reads/settings';

/** Returns whether the paying wallet has no money, so that its next call would be refused. */
export function useNeedsTopUp(): boolean {
  const { kind } = useCredential();
  const { totalUsd } = useBalance();
  return useIsPageOffered()('/top-up') && kind === 'wallet' && totalUsd === 0;
}
