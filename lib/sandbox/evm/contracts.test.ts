import { describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '@/lib/protocol/sandbox-contracts';
import { DEPLOYMENTS } from './contracts';

describe('DEPLOYMENTS', () => {
  it('stand where lib/protocol says that they do', () => {
    expect(Object.fromEntries(DEPLOYMENTS.map(({ contract, address }) => [contract, address]))).toEqual(
      SANDBOX_CONTRACTS,
    );
  });
});
