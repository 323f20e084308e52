'use client';

import { Select } from '@/components/ui/select';
import { CHAT_VIEWS, type ChatView } from './chat-view';
import { chatWords as words } from './words';
import { PanelsTopLeft } from 'lucide-react';

/** Chooses the view on narrow screens, which show one view at a time. */
export function ViewSelect({ view, onShow }: { view: ChatView; onShow: (view: ChatView) => void }) {
  return (
    <Select
      aria-label={words.page.views}
      value={view}
      onChange={(chosen) => onShow(CHAT_VIEWS.find((each) => each === chosen) ?? 'talk')}
      options={CHAT_VIEWS.map((each) => ({ value: each, label: words.views[each] }))}
      icon={<PanelsTopLeft aria-hidden className="size-4" />}
      className="w-auto"
    />
  );
}
