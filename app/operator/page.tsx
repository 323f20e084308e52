import { OperatorPage } from '@/components/operator/operator-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Operator' };

export default function OperatorRoute() {
  return <OperatorPage />;
}
