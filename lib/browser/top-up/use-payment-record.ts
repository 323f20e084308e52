'use client';

import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../query-client';
import { useSignIns } from '../wallet/sign-in-store';
import { type PaymentRecord, recordOfMovement, recordOfReceipt } from './payment-record';
import { useReceipts } from './receipts';
import { collectMovements } from './use-movements';
import { usePayRails } from './use-pay-rails';

/** Returns the record of a payment: from this browser, else from the gateway for a signed-in wallet, else null. */
export function usePaymentRecord(paymentId: string): {
  record: PaymentRecord | null;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const { rails, isLoading } = usePayRails();
  const signIns = useSignIns();
  const receipt = useReceipts().find((each) => each.paymentId === paymentId);
  const kept = receipt === undefined ? null : recordOfReceipt(receipt, rails);
  const query = useQuery(
    {
      queryKey: ['payment-record', paymentId, signIns.map(({ address }) => address)],
      enabled: kept === null && signIns.length > 0 && !isLoading,
      queryFn: async () => {
        for (const { address, header } of signIns) {
          const { movements } = await collectMovements(address, header);
          const found = movements.find(({ type, requestId }) => type === 'TOP_UP' && requestId === paymentId);
          if (found !== undefined) return recordOfMovement(found, address, rails);
        }
        return null;
      },
    },
    queryClient,
  );
  return {
    record: kept ?? query.data ?? null,
    isLoading: isLoading || query.isLoading,
    error: kept === null ? query.error : null,
    retry: () => void query.refetch(),
  };
}
