// Package iface has the shapes in which a deployment says how its workers scale.
package iface

import (
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
)

type (
	// ComputeProviderType names a cloud.
	ComputeProviderType string
	// ScalingAlgorithmType names a way to scale.
	ScalingAlgorithmType string
	// ValidationResult says whether a cloud took the settings.
	ValidationResult int
)

// ValidationResultFailed: it did not.
const ValidationResultFailed ValidationResult = 2

// ComputeProviderSpec is where workers run.
type ComputeProviderSpec struct {
	ProviderType  ComputeProviderType
	Config        *commonpb.Payload
	NexusEndpoint string
}

// ScalingAlgorithmSpec is how they scale.
type ScalingAlgorithmSpec struct {
	ScalingAlgorithm ScalingAlgorithmType
	Config           *commonpb.Payload
}

// ScalingGroupSpec is a group of workers.
type ScalingGroupSpec struct {
	TaskTypes []enumspb.TaskQueueType
	Compute   ComputeProviderSpec
	Scaling   *ScalingAlgorithmSpec
}

// ScalingGroupSpecUpdate changes one.
type ScalingGroupSpecUpdate struct {
	Spec       ScalingGroupSpec
	UpdateMask []string
}

// WorkerControllerInstanceSpec is all groups of a deployment.
type WorkerControllerInstanceSpec struct {
	ScalingGroupSpecs map[string]ScalingGroupSpec
}

// ValidationStatus is what a cloud said of it.
type ValidationStatus struct {
	Status             ValidationResult
	ErrMessage         string
	LastValidationTime time.Time
}

// QueryDescribeWorkerControllerInstanceResponse describes one; there is none.
type QueryDescribeWorkerControllerInstanceResponse struct {
	Spec             *WorkerControllerInstanceSpec
	ValidationStatus *ValidationStatus
}

// UpdateWorkerControllerInstanceResponse says what became of a change.
type UpdateWorkerControllerInstanceResponse struct {
	Spec *WorkerControllerInstanceSpec
}
