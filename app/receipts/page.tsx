import { ReceiptsPage } from '@/components/receipts/receipts-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Verify a receipt' };

export default function ReceiptsRoute() {
  return <ReceiptsPage />;
}
