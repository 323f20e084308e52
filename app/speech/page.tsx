import { SpeechPage } from '@/components/speech/speech-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Speech' };

export default function SpeechRoute() {
  return <SpeechPage />;
}
