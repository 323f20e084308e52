import { VideoPage } from '@/components/video/video-page';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Video' };

export default function VideoRoute() {
  return <VideoPage />;
}
