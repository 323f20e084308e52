import { TopUpPage } from '@/components/top-up/top-up-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Top up' };

export default function TopUpRoute() {
  return <TopUpPage />;
}
