/** The size of a sandbox when nothing is said about it. */
export const sandboxDefaults = { cpu: 4, memoryGib: 4, diskGib: 10 } as const;

/** Virtual processors of all sandboxes of a wave together: a part of what the organisation may have, the fleet needs the rest. */
export const vcpuBudgetDefault = 40;
