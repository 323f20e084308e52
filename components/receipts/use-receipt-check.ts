'use client';

import { useState } from 'react';
import type { JudgedReceipt } from '@/lib/client/receipts/judge-receipt';
import { gatewayOptions } from '@/lib/browser/reads/gateway';
import { useAction } from '@/lib/browser/reads/use-read';

export const RECEIPT_FILES = ['receipt', 'request', 'answer', 'report'] as const;
export type ReceiptFile = (typeof RECEIPT_FILES)[number];
export type ReceiptFiles = Readonly<Partial<Record<ReceiptFile, File>>>;

const FILE_BYTES_MAX = 64 * 1_048_576;

export function isReadable({ size }: File): boolean {
  return size <= FILE_BYTES_MAX;
}

export function useReceiptCheck() {
  const [files, setFiles] = useState<ReceiptFiles>({});
  const check = useAction(judge);
  const choose = (name: ReceiptFile, file: File | null): void => {
    const { [name]: _before, ...others } = files;
    const chosen: ReceiptFiles = file === null ? others : { ...others, [name]: file };
    setFiles(chosen);
    void check.run(chosen);
  };
  return { files, choose, check };
}

/** Loads the checker when the first receipt is chosen, because its cryptography code is large. */
async function judge({ receipt, request, answer, report }: ReceiptFiles): Promise<JudgedReceipt | null> {
  if (receipt === undefined) return null;
  const [{ judgeReceipt }, { fetchKeptReport, fetchReceiptKeys }] = await Promise.all([
    import('@/lib/client/receipts/judge-receipt'),
    import('@/lib/client/receipts/fetch-receipt'),
  ]);
  const evidence = {
    receipt: await receipt.text(),
    keys: await fetchReceiptKeys(gatewayOptions()),
    request: await bytesOf(request),
    answer: await bytesOf(answer),
    report: await bytesOf(report),
    nowMs: Date.now(),
  };
  const judged = judgeReceipt(evidence);
  const named = judged.receipt?.enclave?.report;
  if (named === undefined || report !== undefined) return judged;
  // The read fails if the gateway no longer has the report.
  const kept = await fetchKeptReport(gatewayOptions(), named.sha256).catch(() => null);
  return kept === null ? judged : judgeReceipt({ ...evidence, report: kept });
}

async function bytesOf(file: File | undefined): Promise<Uint8Array | undefined> {
  return file && new Uint8Array(await file.arrayBuffer());
}
