'use client';

import { Button } from '@/components/ui/button';
import { saveFile } from '@/lib/browser/storage/save-file';
import { Download } from 'lucide-react';

interface CsvButtonProps {
  /** Accessible name of the button. Must contain the visible text (WCAG 2.5.3). */
  label: string;
  children: string;
  fileName: string;
  csv: () => string | Promise<string>;
}

export function CsvButton({ label, children, fileName, csv }: CsvButtonProps) {
  const save = async () => saveFile(fileName, 'text/csv', await csv());
  return (
    <Button size="sm" tone="quiet" aria-label={label} onClick={() => void save()}>
      <Download aria-hidden />
      {children}
    </Button>
  );
}
