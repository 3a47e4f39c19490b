import type { ArtifactView } from '../../../../schemas/artifacts.ts';
import type { TestUploadView } from '../../../../schemas/test-runs.ts';
import { type ArtifactType, artifactTypes } from '../../store/artifacts.ts';
import { type CaseResult, caseResults, type RunResult } from '../../store/test-runs.ts';

export type CaseOutcome = CaseResult;
export type RunOutcome = RunResult;
export type FileType = ArtifactType;
export type FileView = ArtifactView;
export type UploadView = TestUploadView;

/** Worst first. */
export const caseOutcomes: readonly CaseOutcome[] = caseResults;

export const fileTypes: readonly FileType[] = artifactTypes;
