'use client';

import { onDemand } from '@/components/ui/on-demand';
import { contractCallOf } from '@/lib/browser/rpc/contract/contract-target';
import { useContractAbis } from '@/lib/browser/rpc/contract/contract-draft';
import type { SentRequest } from '@/lib/browser/rpc/rpc-call-state';
import type { RpcAnswer } from '@/lib/client';

/** Loads the heavy decoder only for calls to a contract with an ABI. */
const AbiAnswer = onDemand(() => import('./abi-answer').then((module) => module.AbiAnswer));

/** Shows decoded answers of calls whose contract has an ABI in this browser. */
export function ContractAnswers({ answer, request }: { answer: RpcAnswer; request: SentRequest }) {
  const abis = useContractAbis();
  return request.calls.map((call, index) => {
    const target = contractCallOf(call);
    const abi = target === null ? undefined : abis[target.to.toLowerCase()];
    const item = answer.items[index];
    return target === null || abi === undefined || item === undefined ? null : (
      <AbiAnswer key={index} abi={abi} to={target.to} data={target.data} item={item} />
    );
  });
}
