'use client';

import { Button } from '@/components/ui/button';
import { saveFile } from '@/lib/browser/save-file';
import { Download } from 'lucide-react';

interface CsvButtonProps {
  /** Names the button; it holds what is written on it. */
  label: string;
  children: string;
  fileName: string;
  /** Makes the file's text, at the click: its code comes with it. */
  csv: () => string | Promise<string>;
}

/** Saves a table that is on the page as a CSV file. */
export function CsvButton({ label, children, fileName, csv }: CsvButtonProps) {
  const save = async () => saveFile(fileName, 'text/csv', await csv());
  return (
    <Button size="sm" tone="quiet" aria-label={label} onClick={() => void save()}>
      <Download aria-hidden />
      {children}
    </Button>
  );
}
