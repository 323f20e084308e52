'use client';

import { Button } from '@/components/ui/button';
import type { ExportedList } from './export-list';
import { useBrand } from '@/lib/browser/reads/settings';
import { useCredential } from '@/lib/browser/credential/credential';
import { useAction } from '@/lib/browser/reads/use-read';
import { saveFile } from '@/lib/browser/storage/save-file';
import { usageWords } from './words';
import type { CallCredential } from '@/lib/client';
import { Download } from 'lucide-react';

const words = usageWords.export;

interface ExportButtonProps {
  label: string;
  list: 'charges' | 'requests';
  query: { startDate?: string };
  of: (presented: CallCredential | null) => Promise<ExportedList>;
}

/** Saves the whole list as CSV, not only the shown pages. */
export function ExportButton({ label, list, query, of }: ExportButtonProps) {
  const { presented } = useCredential();
  const { slug } = useBrand();
  const { run, isPending, error, data } = useAction(async () => {
    const { csv, isWhole } = await of(presented);
    saveFile(`${slug}-${list}-${query.startDate ?? 'all'}.csv`, 'text/csv', csv);
    return isWhole;
  });
  return (
    <>
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
      <Button size="sm" tone="quiet" disabled={isPending} onClick={() => void run()}>
        <Download aria-hidden />
        {isPending ? words.isCollecting : label}
      </Button>
    </>
  );
}
