"""Everything that uses pyAgrum: conversion of its models, its file formats, incomplete data."""
