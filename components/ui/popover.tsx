'use client';

import type { ComponentProps } from 'react';
import { onDemand } from './on-demand';
import { useOverlay } from './overlay-state';
import { OverlayTrigger } from './overlay-trigger';
import type { PopoverPanelProps } from './popover-panel';

export { Overlay as Popover } from './overlay-state';
export { OverlayClose as PopoverClose } from './overlay-trigger';

const PopoverPanel = onDemand(() => import('./popover-panel').then((module) => module.PopoverPanel), { floats: true });

type PopoverTriggerProps = Omit<ComponentProps<typeof OverlayTrigger>, 'preload'> & {
  /** What else the content needs, loaded along with the panel. */
  preload?: () => void;
};

/** The control that a panel hangs on. */
export function PopoverTrigger({ preload, ...props }: PopoverTriggerProps) {
  return (
    <OverlayTrigger
      {...props}
      preload={() => {
        PopoverPanel.preload();
        preload?.();
      }}
    />
  );
}

/** A panel that hangs on its trigger. What places it on the screen loads with the first one. */
export function PopoverContent(props: Omit<PopoverPanelProps, 'overlay'>) {
  const overlay = useOverlay();
  return overlay.open ? <PopoverPanel {...props} overlay={overlay} /> : null;
}
