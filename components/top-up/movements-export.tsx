'use client';

import { useBrand } from '@/lib/browser/brand';
import { Button } from '@/components/ui/button';
import { queryClient } from '@/lib/browser/query-client';
import { saveFile } from '@/lib/browser/save-file';
import { movementsCsv } from '@/lib/browser/top-up/movements-csv';
import { useReceipts } from '@/lib/browser/top-up/receipts';
import { collectMovements } from '@/lib/browser/top-up/use-movements';
import { historyWords as words } from '@/lib/browser/words/payment';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';

export function MovementsExport({ address, signIn }: { address: string; signIn: string }) {
  const receipts = useReceipts();
  const { slug } = useBrand();
  const { mutate, isPending, data, error } = useMutation(
    {
      mutationFn: async () => {
        const { movements, isWhole } = await collectMovements(address, signIn);
        saveFile(`${slug}-${address.slice(0, 8)}.csv`, 'text/csv', movementsCsv(movements, receipts));
        return isWhole;
      },
    },
    queryClient,
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {error !== null && (
        <span role="alert" className="text-xs text-bad">
          {words.failed(error.message)}
        </span>
      )}
      {data === false && (
        <span role="status" className="text-xs text-dim">
          {words.isCut}
        </span>
      )}
      <Button
        size="sm"
        aria-label={isPending ? undefined : words.csvLabel}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <Download aria-hidden />
        {isPending ? words.isCollecting : words.csv}
      </Button>
    </div>
  );
}
